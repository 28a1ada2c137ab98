import type { operations } from '@tillhook/openapi';
import type { TillhookError } from './errors.ts';
import type { Traits } from './generated/routes.ts';

/** An operationId, such as `createCheckout`. The contract, the server and the SDK use the same name. */
export type OperationId = keyof Traits;

export type ListId = { [Id in OperationId]: Traits[Id] extends { items: string } ? Id : never }[OperationId];

export type FeedId = { [Id in ListId]: Traits[Id] extends { isFeed: true } ? Id : never }[ListId];

export type CsvListId = { [Id in ListId]: Traits[Id] extends { hasCsv: true } ? Id : never }[ListId];

type Json<Content> = Content extends { content: { 'application/json': infer Body } } ? Body : never;
type Responses<Id extends OperationId> = operations[Id]['responses'];
type Success = 200 | 201 | 202;

/** The body of an operation's successful response. */
export type Output<Id extends OperationId> = Json<Responses<Id>[keyof Responses<Id> & Success]>;

export type Body<Id extends OperationId> = Json<NonNullable<operations[Id]['requestBody']>>;

/** The query of a list: filters, limit and offset. A filter for several values also accepts a single value. */
export type Query<Id extends OperationId> = Given<NonNullable<operations[Id]['parameters']['query']>>;

type Given<Values> = { [Name in keyof Values]: OneOrMore<Values[Name]> };

type OneOrMore<Value> = Value extends readonly (infer One)[] ? One | readonly One[] : Value;

/** One record of a list. */
export type Item<Id extends ListId> = Traits[Id]['items'] extends infer Items extends keyof Output<Id>
  ? Output<Id>[Items] extends readonly (infer Item)[]
    ? Item
    : never
  : never;

/** Options of a single call, which override the options of the client. */
export interface CallOptions {
  /** Ends the call with an `AbortedError`, even while the call waits between attempts. */
  signal?: AbortSignal | undefined;
  /** The time limit of one attempt in milliseconds. The `wait` of a list is added to the limit. */
  timeoutMs?: number | undefined;
  /**
   * The time limit of the call in milliseconds, including all attempts and the delays between them; `Infinity` for no
   * limit.
   */
  totalTimeoutMs?: number | undefined;
  /** The maximum number of retries; 0 for no retries, `Infinity` for no limit. */
  maxRetries?: number | undefined;
  /** Additional headers, for example for a proxy. These cannot replace headers that the SDK itself sends. */
  headers?: Readonly<Record<string, string>> | undefined;
}

export interface IdempotencyOption {
  /**
   * The `Idempotency-Key`: 1 to 255 printable ASCII characters. Calls with the same key have an effect only once. When
   * omitted, the call and its retries share a random key. With your own key, your program can safely repeat the call
   * even after a crash.
   */
  idempotencyKey?: string | undefined;
}

/** The options of an operation. */
export type OptionsOf<Id extends OperationId> = CallOptions &
  (Traits[Id] extends { isKeyed: true } ? IdempotencyOption : unknown) &
  (Traits[Id] extends { headers: infer Headers } ? { [Name in keyof Headers]?: string | undefined } : unknown);

/** The properties that every result has. */
export interface AnswerDetails {
  /** The id of the request, for support. */
  requestId: string | null;
  /** The `Idempotency-Key` of the call; null if the operation accepts no key. */
  idempotencyKey: string | null;
  /** The number of attempts that were sent. */
  attempts: number;
  headers: Headers;
}

/** A response with one of the documented status codes. `status` decides the types of `data` and `error`. */
export type Result<Id extends OperationId> = {
  [Status in keyof Responses<Id> & number]: AnswerDetails & AnswerOf<Status, Json<Responses<Id>[Status]>>;
}[keyof Responses<Id> & number];

type AnswerOf<Status extends number, Content> = Status extends Success
  ? { status: Status; data: Content; error?: undefined }
  : Status extends 304
    ? { status: Status; data?: undefined; error?: undefined }
    : { status: Status; data?: undefined; error: TillhookError };

export interface AnyResult extends AnswerDetails {
  status: number;
  data?: object | undefined;
  error?: TillhookError | undefined;
  response?: Response;
}

export interface OperationRequest {
  id: OperationId;
  path: Record<string, unknown>;
  query?: Record<string, unknown> | undefined;
  body?: unknown;
  isForCsv?: true;
  isForResponse?: true;
  options: CallOptions & IdempotencyOption & Record<string, unknown>;
}

/** Sends a request to the server. Rejects if this API sent no response. */
export type Send = (request: OperationRequest) => Promise<AnyResult>;
