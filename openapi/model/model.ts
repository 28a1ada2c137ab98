/**
 * The contract as server, SDK generator, mock, documentation and tests read it: typed, with every `$ref` followed.
 * Libraries that read OpenAPI themselves get the document instead.
 * See docs/decisions/contract.md, "Everybody reads one model of the contract".
 */
import type { components, operations } from '../generated/contract.ts';
import type { Known } from './known.ts';
import type { Schema } from './schema.ts';

export interface Model {
  readonly title: string;
  readonly version: string;
  readonly summary: string;
  readonly description: string;
  readonly servers: readonly ServerAddress[];
  /** The groups of operations, in the order in which they are shown: what each has, by its name. */
  readonly tags: ReadonlyMap<string, string>;
  /** In the order of the yaml. */
  readonly operations: readonly ModelOperation[];
  readonly operationById: ReadonlyMap<string, ModelOperation>;
  readonly webhooks: readonly ModelWebhook[];
  /** The components of the contract, by their names. */
  readonly schemas: ReadonlyMap<string, Schema>;
  readonly parameters: ReadonlyMap<string, ModelParameter>;
  readonly headers: ReadonlyMap<string, ModelHeader>;
  readonly answers: ReadonlyMap<string, ModelAnswer>;
  readonly securitySchemes: ReadonlyMap<string, SecurityScheme>;
  /**
   * `x-mock-examples`: by parameter and by name of an example, the value that makes the mock answer with that example.
   */
  readonly mockExamples: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** `x-sdk-resources`: what each resource of the SDK is, in words. */
  readonly sdkResources: ReadonlyMap<string, string>;
}

/** In the order in which the operations of a path are listed. */
export const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;
export type Method = (typeof methods)[number];

export const schemeNames = ['apiKeyHeader', 'bearerAuth', 'dashboardSession', 'serviceMode'] as const;
export type SchemeName = (typeof schemeNames)[number];

export interface ModelOperation {
  readonly id: keyof operations;
  readonly method: Method;
  readonly path: string;
  /** The group under which the documentation lists it. */
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /**
   * The alternatives for authentication, each with the schemes that a call needs together. Empty when a call needs
   * none.
   */
  readonly security: readonly (readonly SchemeName[])[];
  /** The scope that a limited key needs. */
  readonly scope: Known<components['schemas']['Scope']> | null;
  /** The roles of users who may call it with a session. */
  readonly roles: readonly components['schemas']['UserRole'][];
  /** Users who still have to turn on two-step sign-in may call it, because they need it to do so. */
  readonly isBeforeTwoStep: boolean;
  /** The longest body in bytes; null for the limit that operations usually have. */
  readonly bodyLimit: number | null;
  /** It is for our own dashboard, so the document that the server gives to others does not have it. */
  readonly isInternal: boolean;
  /** Null unless the operation is deprecated. */
  readonly deprecation: Deprecation | null;
  /** The method of the SDK, such as `payments.get`. */
  readonly sdkMethod: string | null;
  /** The parameters of its path first, then its own. */
  readonly parameters: readonly ModelParameter[];
  readonly body: ModelBody | null;
  /** By status. */
  readonly answers: ReadonlyMap<number, ModelAnswer>;
  /** The status of its only success. */
  readonly successStatus: number;
  readonly success: ModelAnswer;
}

/** From when something is deprecated, and from when it may be missing: two days, such as `2026-12-01`, each from midnight in UTC. */
export interface Deprecation {
  readonly since: string;
  readonly sunset: string;
}

/** An event that the service sends, as a POST to an endpoint. */
export interface ModelWebhook {
  /** The name that generators of clients give to the receiver's function, such as `onCheckoutSuccess`. */
  readonly id: string;
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  /** The headers of its request. */
  readonly headers: readonly ModelParameter[];
  readonly body: ModelBody;
  /** What a receiver should answer, in words. */
  readonly expectedAnswer: string;
}

export interface ServerAddress {
  /** Its variables have their default values. */
  readonly url: string;
  readonly description: string;
}

export interface ModelHeader {
  readonly description: string;
  readonly isRequired: boolean;
  readonly schema: Schema;
  /** Undefined where the contract shows none. */
  readonly example: unknown;
}

export interface ModelParameter extends ModelHeader {
  /** Null unless the parameter is deprecated. */
  readonly deprecation: Deprecation | null;
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
}

/** A JSON body, or a CSV file as text. The contract has no other media type. */
export interface ModelContent {
  readonly schema: Schema;
  /** By name; the first is the usual one. */
  readonly examples: ReadonlyMap<string, ModelExample>;
}

export interface ModelBody extends ModelContent {
  readonly isRequired: boolean;
}

export interface ModelAnswer {
  readonly description: string;
  readonly headers: ReadonlyMap<string, ModelHeader>;
  readonly content: ModelContent | null;
  /** The answer as CSV, for `Accept: text/csv`. Its schema has the columns. */
  readonly csv: ModelContent | null;
}

export interface ModelExample {
  readonly name: string;
  readonly summary: string;
  readonly value: unknown;
  /** It has a magic input of the mock, or is about a session, so the document that the server gives to others does not have it. */
  readonly isInternal: boolean;
}

/** Where a request carries a credential: in `Authorization` after `Bearer`, or in a header or cookie of this name. */
export type SecurityScheme =
  | { readonly in: 'authorization' }
  | { readonly in: 'header' | 'cookie'; readonly name: string };

/** The names of the headers that answers have, for pages of other origins, which read only the headers named to them. */
export function answerHeaderNames({ operations }: Model): string[] {
  const names = operations.flatMap(({ answers }) =>
    [...answers.values()].flatMap(({ headers }) => [...headers.keys()]),
  );
  // Browsers never show `Set-Cookie` to a page.
  return [...new Set(names)].filter((name) => name !== 'Set-Cookie').sort();
}

/** The schema with this name. The compiler checks the name. */
export function namedSchema({ schemas }: Model, name: keyof components['schemas']): Schema {
  const schema = schemas.get(name);
  if (!schema) throw new Error(`The contract has no schema ${name}.`);
  return schema;
}
