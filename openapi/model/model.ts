/**
 * The contract as server, SDK generator, mock, documentation and tests read it: typed, with every `$ref` followed.
 * Libraries that read OpenAPI themselves get the document instead.
 * See docs/decisions/contract.md, "All programs read one model of the contract".
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
  /** The groups of operations with their descriptions, by their names, in the order of the documentation. */
  readonly tags: ReadonlyMap<string, string>;
  /** In the order of `openapi.yaml`. */
  readonly operations: readonly ModelOperation[];
  readonly operationById: ReadonlyMap<string, ModelOperation>;
  readonly webhooks: readonly ModelWebhook[];
  /** The components of the contract, by their names. */
  readonly schemas: ReadonlyMap<string, Schema>;
  readonly parameters: ReadonlyMap<string, ModelParameter>;
  readonly headers: ReadonlyMap<string, ModelHeader>;
  readonly answers: ReadonlyMap<string, ModelAnswer>;
  readonly securitySchemes: ReadonlyMap<string, SecurityScheme>;
  /** `x-mock-examples`: for each parameter, the value that makes the mock answer with the example of this name. */
  readonly mockExamples: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** `x-sdk-resources`: a description of each resource of the SDK. */
  readonly sdkResources: ReadonlyMap<string, string>;
}

/** In the order of the yaml. */
export const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;
export type Method = (typeof methods)[number];

export const schemeNames = ['apiKeyHeader', 'bearerAuth', 'dashboardSession', 'serviceMode'] as const;
export type SchemeName = (typeof schemeNames)[number];

export interface ModelOperation {
  readonly id: keyof operations;
  readonly method: Method;
  readonly path: string;
  /** The group that lists the operation in the documentation. */
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /**
   * The alternatives for authentication. A call needs all schemes of one alternative. Empty when a call needs no
   * authentication.
   */
  readonly security: readonly (readonly SchemeName[])[];
  /** The scope that a limited API key needs to call the operation. */
  readonly scope: Known<components['schemas']['Scope']> | null;
  /** The roles of users who may call the operation with a session. */
  readonly roles: readonly components['schemas']['UserRole'][];
  /**
   * True when users may call the operation before they have turned on two-step sign-in, because they need it to turn it
   * on.
   */
  readonly isBeforeTwoStep: boolean;
  /** The maximum size of the body in bytes; null for the usual limit. */
  readonly bodyLimit: number | null;
  /** True for an operation of our own dashboard, which the served document leaves out. */
  readonly isInternal: boolean;
  /** Null when the operation is not deprecated. */
  readonly deprecation: Deprecation | null;
  /** The method of the SDK that calls the operation, such as `payments.get`. */
  readonly sdkMethod: string | null;
  /** The parameters of the path, then those of the operation. */
  readonly parameters: readonly ModelParameter[];
  readonly body: ModelBody | null;
  /** The responses, by their status. */
  readonly answers: ReadonlyMap<number, ModelAnswer>;
  /** The status of the successful response. */
  readonly successStatus: number;
  readonly success: ModelAnswer;
}

/**
 * The day from which an operation or parameter is deprecated, and the day from which it may be missing. Both are like
 * `2026-12-01`, and begin at midnight UTC.
 */
export interface Deprecation {
  readonly since: string;
  readonly sunset: string;
}

/** An event that the service sends to endpoints by POST. */
export interface ModelWebhook {
  /** The name that client generators give to a receiver's function: `onCheckoutSuccess`. */
  readonly id: string;
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  /** The headers of the webhook request. */
  readonly headers: readonly ModelParameter[];
  readonly body: ModelBody;
  /** A description of the response that a receiver should send. */
  readonly expectedAnswer: string;
}

export interface ServerAddress {
  /** The addresses of the API. Variables in them have their default values. */
  readonly url: string;
  readonly description: string;
}

export interface ModelHeader {
  readonly description: string;
  readonly isRequired: boolean;
  readonly schema: Schema;
  /** Undefined where the contract has no example. */
  readonly example: unknown;
}

export interface ModelParameter extends ModelHeader {
  /** Null when the parameter is not deprecated. */
  readonly deprecation: Deprecation | null;
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
}

/** A JSON body, or a CSV file as text. The contract has no other media type. */
export interface ModelContent {
  readonly schema: Schema;
  /** By their names. The first example is the usual case. */
  readonly examples: ReadonlyMap<string, ModelExample>;
}

export interface ModelBody extends ModelContent {
  readonly isRequired: boolean;
}

export interface ModelAnswer {
  readonly description: string;
  readonly headers: ReadonlyMap<string, ModelHeader>;
  readonly content: ModelContent | null;
  /** The response as CSV, for `Accept: text/csv`. The schema has its columns. */
  readonly csv: ModelContent | null;
}

export interface ModelExample {
  readonly name: string;
  readonly summary: string;
  readonly value: unknown;
  /** True when the example is a magic input of the mock or belongs to a session. The served document leaves it out. */
  readonly isInternal: boolean;
}

/** Where a request carries its credential: in `Authorization` after `Bearer`, or in the header or cookie of this name. */
export type SecurityScheme =
  | { readonly in: 'authorization' }
  | { readonly in: 'header' | 'cookie'; readonly name: string };

/** Returns the names of the response headers. Browsers show a page of another origin only headers that CORS exposes. */
export function answerHeaderNames({ operations }: Model): string[] {
  const names = operations.flatMap(({ answers }) =>
    [...answers.values()].flatMap(({ headers }) => [...headers.keys()]),
  );
  // Browsers never let a page read `Set-Cookie`.
  return [...new Set(names)].filter((name) => name !== 'Set-Cookie').sort();
}

/** Returns the schema of this name. The compiler checks the name. */
export function namedSchema({ schemas }: Model, name: keyof components['schemas']): Schema {
  const schema = schemas.get(name);
  if (!schema) throw new Error(`The contract has no schema ${name}.`);
  return schema;
}
