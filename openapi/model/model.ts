/**
 * The contract in the form that the server, the SDK generator, the mock, the documentation and the tests read: typed,
 * and with every `$ref` followed. Libraries that read OpenAPI themselves get the document instead.
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
  /** The description of each group of operations, keyed by the name of the group, in the order of the documentation. */
  readonly tags: ReadonlyMap<string, string>;
  /** The operations in the order of `openapi.yaml`. */
  readonly operations: readonly ModelOperation[];
  readonly operationById: ReadonlyMap<string, ModelOperation>;
  readonly webhooks: readonly ModelWebhook[];
  /** The schemas of the contract, keyed by name. */
  readonly schemas: ReadonlyMap<string, Schema>;
  readonly parameters: ReadonlyMap<string, ModelParameter>;
  readonly headers: ReadonlyMap<string, ModelHeader>;
  readonly answers: ReadonlyMap<string, ModelAnswer>;
  readonly securitySchemes: ReadonlyMap<string, SecurityScheme>;
  /**
   * `x-mock-examples`: maps each parameter to its magic values. A magic value makes the mock answer with the named
   * example.
   */
  readonly mockExamples: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** `x-sdk-resources`: a description of each resource of the SDK. */
  readonly sdkResources: ReadonlyMap<string, string>;
}

/** The HTTP methods in the order in which the yaml lists them. */
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
   * The alternatives for authentication. A call needs all schemes of one alternative. The list is empty when the
   * operation needs no authentication.
   */
  readonly security: readonly (readonly SchemeName[])[];
  /** The scope that a limited API key needs to call the operation. */
  readonly scope: Known<components['schemas']['Scope']> | null;
  /** The roles of users who may call the operation with a session. */
  readonly roles: readonly components['schemas']['UserRole'][];
  /**
   * True when users may call the operation before they have turned on two-step sign-in, because turning it on needs the
   * operation.
   */
  readonly isBeforeTwoStep: boolean;
  /** The maximum size of the body in bytes; null when the usual limit applies. */
  readonly bodyLimit: number | null;
  /** True for an operation of our own dashboard, which the served document leaves out. */
  readonly isInternal: boolean;
  /** Null when the operation is not deprecated. */
  readonly deprecation: Deprecation | null;
  /** The method of the SDK that calls the operation, such as `payments.get`. */
  readonly sdkMethod: string | null;
  /** The parameters that all operations of the path share, then the parameters of this operation. */
  readonly parameters: readonly ModelParameter[];
  readonly body: ModelBody | null;
  /** The responses, keyed by status code. */
  readonly answers: ReadonlyMap<number, ModelAnswer>;
  /** The status code of the successful response. */
  readonly successStatus: number;
  readonly success: ModelAnswer;
}

/**
 * The day from which an operation or parameter is deprecated, and the day from which it may be missing. Each day has
 * the form `2026-12-01` and begins at midnight UTC.
 */
export interface Deprecation {
  readonly since: string;
  readonly sunset: string;
}

/** An event that the service sends to endpoints by POST. */
export interface ModelWebhook {
  /**
   * The name of the event as a function name, such as `onCheckoutSuccess`, which client generators use for a receiver.
   */
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
  /** A base URL of the API. Its variables are replaced with their default values. */
  readonly url: string;
  readonly description: string;
}

export interface ModelHeader {
  readonly description: string;
  readonly isRequired: boolean;
  readonly schema: Schema;
  /** The example; undefined when the contract has none. */
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
  /** True when the example is a magic input of the mock or belongs to a session. The served document leaves it out. */
  readonly isInternal: boolean;
}

/** The place of the credential in a request: `Authorization` after `Bearer`, or the named header or cookie. */
export type SecurityScheme =
  | { readonly in: 'authorization' }
  | { readonly in: 'header' | 'cookie'; readonly name: string };

/** Returns the names of all response headers that CORS must expose, so that pages of another origin can read them. */
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
