import { ApiError } from './errors.ts';
import type { AnyResult, OperationId, OperationRequest, Output, Result } from './operations.ts';

export type SendCall = (wanted?: Pick<OperationRequest, 'isForResponse'>) => Promise<AnyResult>;

/**
 * A call of an operation. `await` returns the body of a successful response, and throws a `TillhookError` otherwise.
 * `result()` returns every documented response, including failures. The request is sent only once: when the call is
 * first awaited, or after the current code has run if no code awaits the call.
 */
export class Call<Id extends OperationId> implements Promise<Output<Id>> {
  readonly #send: SendCall;
  #sent: Promise<AnyResult> | undefined;
  #isAwaited = false;

  constructor(send: SendCall) {
    this.#send = send;
    // `await` calls `then` in the first microtask, so the second microtask sends a call that no code awaits. A second
    // listener on the promise would remove the caller from stack traces.
    // See docs/decisions/sdk.md, "A call is a promise with result(), and a list can be iterated".
    // `queueMicrotask` is not used, because Node makes an object each time.
    void nothing.then(() => nothing.then(() => this.#sendUnawaited()));
  }

  /**
   * The response, with any of the documented status codes. `status` decides the type of `data`, or whether there is an
   * `error`. Throws only if this API sent no response, for example a `ConnectionError`.
   *
   * @example
   * const answer = await tillhook.transfers.create(transfer).result();
   * switch (answer.status) {
   *   case 201:
   *     return answer.data.reference;
   *   case 422:
   *     return topUpFirst(answer.error.code);
   *   default:
   *     throw answer.error;
   * }
   */
  result(): Promise<Result<Id>> {
    this.#isAwaited = true;
    // The contract's types differ by status. At run time all results have the same properties.
    return this.#answer() as Promise<unknown> as Promise<Result<Id>>;
  }

  /**
   * The HTTP response of a successful call, or a 304, with a body that you read yourself. Call `asResponse()` instead
   * of awaiting the call; retries, time limits and errors are the same. When an earlier attempt has removed the record,
   * the response is the 404 of the last attempt. The body is in memory twice until you have read it.
   *
   * @example
   * const response = await tillhook.payments.get('order-1042').asResponse();
   * console.log(response.headers.get('RateLimit'), await response.text());
   */
  async asResponse(): Promise<Response> {
    if (this.#sent) throw new TypeError('This call was sent already: use asResponse() in place of await.');
    this.#isAwaited = true;
    this.#sent = this.#send({ isForResponse: true });
    const { error, response } = await this.#sent;
    if (error) throw error;
    return response as Response;
  }

  // biome-ignore lint/suspicious/noThenProperty: this class is a promise.
  then<Fulfilled = Output<Id>, Rejected = never>(
    onFulfilled?: ((value: Output<Id>) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: OnRejected<Rejected>,
  ): Promise<Fulfilled | Rejected> {
    this.#isAwaited = true;
    return this.#answer()
      .then((answer) => bodyOf(answer) as Output<Id>)
      .then(onFulfilled, onRejected);
  }

  catch<Rejected = never>(onRejected?: OnRejected<Rejected>): Promise<Output<Id> | Rejected> {
    return this.then(null, onRejected);
  }

  finally(onFinally?: (() => void) | null): Promise<Output<Id>> {
    return this.then().finally(onFinally);
  }

  get [Symbol.toStringTag](): string {
    return 'Call';
  }

  /** Prevents the request of this call, because pages and CSV files are fetched with separate requests. */
  protected takeOver(): void {
    this.#isAwaited = true;
  }

  #answer(): Promise<AnyResult> {
    this.#sent ??= this.#send();
    return this.#sent;
  }

  /** As with every promise, the failure of a call that no code awaits is an unhandled rejection. */
  #sendUnawaited(): void {
    if (this.#isAwaited) return;
    this.#answer()
      .then(bodyOf)
      .catch((error) => {
        if (!this.#isAwaited) void Promise.reject(error);
      });
  }
}

const nothing = Promise.resolve();

// biome-ignore lint/suspicious/noExplicitAny: promises have this type.
type OnRejected<Rejected> = ((reason: any) => Rejected | PromiseLike<Rejected>) | null;

export function bodyOf({ status, data, error, requestId }: AnyResult): object {
  if (error) throw error;
  if (data) return data;
  throw new ApiError('Nothing has changed, so there is no body. Use .result() for calls with ifNoneMatch.', {
    status,
    requestId,
  });
}
