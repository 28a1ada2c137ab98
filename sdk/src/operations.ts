/** What an operation takes and gives, by its id: the types behind the methods of the client. */
import type { operations } from '@tillhook/openapi';
import type { TillhookError } from './errors.ts';
import type { Traits } from './generated/routes.ts';

/** The name of an operation, the same in the contract, the server and the SDK. */
export type OperationId = keyof Traits;

/** The operations that list records. */
export type ListId = { [Id in OperationId]: Traits[Id] extends { items: string } ? Id : never }[OperationId];

type Json<Content> = Content extends { content: { 'application/json': infer Body } } ? Body : never;
type Responses<Id extends OperationId> = operations[Id]['responses'];
type Success = 200 | 201 | 202;

/** The body of an operation's success. */
export type Output<Id extends OperationId> = Json<Responses<Id>[keyof Responses<Id> & Success]>;

/** The body that an operation takes. */
export type Body<Id extends OperationId> = Json<NonNullable<operations[Id]['requestBody']>>;

/** What narrows or pages a list. */
export type Query<Id extends OperationId> = NonNullable<operations[Id]['parameters']['query']>;

/** A record of a list. */
export type Item<Id extends ListId> = Traits[Id]['items'] extends infer Items extends keyof Output<Id>
  ? Output<Id>[Items] extends readonly (infer Item)[]
    ? Item
    : never
  : never;

/** How one call differs from the others of its client. */
export interface CallOptions {
  /** Ends the call, its waiting between attempts included, with an `AbortedError`. */
  signal?: AbortSignal | undefined;
  /** How long one attempt may take. */
  timeoutMs?: number | undefined;
  /** How long the whole call may take, attempts and the waiting between them. */
  totalTimeoutMs?: number | undefined;
  /** How often it is tried again. */
  maxRetries?: number | undefined;
  /** Further headers, for a proxy on the way for example. None replaces what the call itself sends. */
  headers?: Readonly<Record<string, string>> | undefined;
}

export interface IdempotencyOption {
  /**
   * Names the call, so that it has its effect once however often it is sent. A random one when omitted, which the retries of
   * this call share; give your own to make it safe to repeat after a crash of yours.
   */
  idempotencyKey?: string | undefined;
}

/** The options of an operation. */
export type OptionsOf<Id extends OperationId> = CallOptions &
  (Traits[Id] extends { isKeyed: true } ? IdempotencyOption : unknown) &
  (Traits[Id] extends { headers: infer Headers } ? { [Name in keyof Headers]?: string | undefined } : unknown);

/** What is known of every answer. */
export interface AnswerFacts {
  /** Names the request for support. */
  requestId: string | null;
  /** What the call was sent with; null where the operation takes none. */
  idempotencyKey: string | null;
  /** How often it was sent. */
  attempts: number;
  headers: Headers;
}

/** An answer with one of the statuses that the contract documents. `status` tells which. */
export type Result<Id extends OperationId> = {
  [Status in keyof Responses<Id> & number]: AnswerFacts & AnswerOf<Status, Json<Responses<Id>[Status]>>;
}[keyof Responses<Id> & number];

type AnswerOf<Status extends number, Content> = Status extends Success
  ? { status: Status; data: Content; error?: undefined }
  : Status extends 304
    ? { status: Status; data?: undefined; error?: undefined }
    : { status: Status; data?: undefined; error: TillhookError };

/** A result of whichever operation. */
export interface AnyResult extends AnswerFacts {
  status: number;
  data?: object | undefined;
  error?: TillhookError | undefined;
}

/** One call of an operation, as its method was asked for it. */
export interface OperationRequest {
  id: OperationId;
  path: Record<string, unknown>;
  query?: Record<string, unknown> | undefined;
  body?: unknown;
  options: CallOptions & IdempotencyOption & Record<string, unknown>;
}

/** Carries a request to the server. Rejects when no answer of this API came. */
export type Send = (request: OperationRequest) => Promise<AnyResult>;
