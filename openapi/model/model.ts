/**
 * The contract as typed objects, with every `$ref` resolved. Libraries that read OpenAPI get the document instead.
 * See docs/decisions/contract.md, "All programs read one model of the contract".
 */
import type { components, operations } from '../generated/contract.ts';
import type { KnownValues } from './known-values.ts';
import type { Schema } from './schema.ts';

export interface Model {
  readonly title: string;
  readonly version: string;
  readonly summary: string;
  readonly description: string;
  readonly servers: readonly ServerAddress[];
  /** The description of each group of operations, keyed by the name of the group, in the order of the documentation. */
  readonly tags: ReadonlyMap<string, string>;
  readonly operations: readonly ModelOperation[];
  readonly operationById: ReadonlyMap<string, ModelOperation>;
  readonly webhooks: readonly ModelWebhook[];
  readonly schemas: ReadonlyMap<string, Schema>;
  readonly parameters: ReadonlyMap<string, ModelParameter>;
  readonly headers: ReadonlyMap<string, ModelHeader>;
  readonly answers: ReadonlyMap<string, ModelAnswer>;
  readonly securitySchemes: ReadonlyMap<string, SecurityScheme>;
  /** `x-mock-examples`: for each parameter, the values that make the mock answer with the named example. */
  readonly mockExamples: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** `x-sdk-resources`: a description of each resource of the SDK. */
  readonly sdkResources: ReadonlyMap<string, string>;
}

export const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;
export type Method = (typeof methods)[number];

export const schemeNames = ['apiKeyHeader', 'bearerAuth', 'dashboardSession', 'serviceMode'] as const;
export type SchemeName = (typeof schemeNames)[number];

export interface ModelOperation {
  readonly id: keyof operations;
  readonly method: Method;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** Each inner list is an alternative whose schemes a call must all satisfy; an empty list means no authentication. */
  readonly security: readonly (readonly SchemeName[])[];
  /** The scope that a limited API key needs to call the operation. */
  readonly scope: KnownValues<components['schemas']['Scope']> | null;
  /** The roles of users who may call the operation with a session. */
  readonly roles: readonly KnownValues<components['schemas']['UserRole']>[];
  /** True when users may call the operation before they turn on two-step sign-in, for example to turn it on. */
  readonly isBeforeTwoStep: boolean;
  /** The maximum size of the body in bytes; null when the usual limit applies. */
  readonly bodyLimit: number | null;
  /** True for an operation of our own dashboard, which the served document leaves out. */
  readonly isInternal: boolean;
  readonly deprecation: Deprecation | null;
  /** The method of the SDK that calls the operation, such as `payments.get`. */
  readonly sdkMethod: string | null;
  readonly parameters: readonly ModelParameter[];
  readonly body: ModelBody | null;
  readonly answers: ReadonlyMap<number, ModelAnswer>;
  readonly successStatus: number;
  readonly success: ModelAnswer;
}

/** Days such as `2026-12-01`, which begin at midnight UTC. */
export interface Deprecation {
  readonly since: string;
  readonly sunset: string;
}

export interface ModelWebhook {
  /** Client generators use this name, such as `onCheckoutSuccess`, for a receiver's function. */
  readonly id: string;
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly headers: readonly ModelParameter[];
  readonly body: ModelBody;
  readonly expectedAnswer: string;
}

export interface ServerAddress {
  /** The base URL of the API, with the default values of its variables. */
  readonly url: string;
  readonly description: string;
}

export interface ModelHeader {
  readonly description: string;
  readonly isRequired: boolean;
  readonly schema: Schema;
  readonly example: unknown;
}

export interface ModelParameter extends ModelHeader {
  readonly deprecation: Deprecation | null;
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
}

/** A JSON body, or a CSV file as text. The contract has no other media type. */
export interface ModelContent {
  readonly schema: Schema;
  /** The examples, keyed by name. The first example is the usual case. */
  readonly examples: ReadonlyMap<string, ModelExample>;
}

export interface ModelBody extends ModelContent {
  readonly isRequired: boolean;
}

export interface ModelAnswer {
  readonly description: string;
  readonly headers: ReadonlyMap<string, ModelHeader>;
  readonly content: ModelContent | null;
  /** The response as CSV, which a request asks for with `Accept: text/csv`. The columns are in the schema. */
  readonly csv: ModelContent | null;
}

export interface ModelExample {
  readonly name: string;
  readonly summary: string;
  readonly value: unknown;
  /** True when the served document omits the example: a magic input of the mock, or an example of a session. */
  readonly isInternal: boolean;
}

export type SecurityScheme =
  | { readonly in: 'authorization' }
  | { readonly in: 'header' | 'cookie'; readonly name: string };

/** Returns the response headers that CORS must expose, so that pages of another origin can read them. */
export function answerHeaderNames({ operations }: Model): string[] {
  const names = operations.flatMap(({ answers }) =>
    [...answers.values()].flatMap(({ headers }) => [...headers.keys()]),
  );
  // Browsers never let a page read `Set-Cookie`.
  return [...new Set(names)].filter((name) => name !== 'Set-Cookie').sort();
}

export function namedSchema({ schemas }: Model, name: keyof components['schemas']): Schema {
  const schema = schemas.get(name);
  if (!schema) throw new Error(`The contract has no schema ${name}.`);
  return schema;
}
