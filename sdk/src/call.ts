import { ApiError } from './errors.ts';
import type { AnyResult, OperationId, Output, Result } from './operations.ts';

/**
 * A call on its way. Awaited, it gives the body of the success or throws; `result()` gives every documented answer instead.
 * It is sent when it is first waited for, and at the latest when the code around it has run, so also if nobody waits.
 */
export class Call<Id extends OperationId> implements Promise<Output<Id>> {
  readonly #send: () => Promise<AnyResult>;
  #sent: Promise<AnyResult> | undefined;
  #isAwaited = false;

  constructor(send: () => Promise<AnyResult>) {
    this.#send = send;
    // In the second microtask: `await` takes the first to say that it waits, and a second listener would hide it from stacks.
    // See docs/decisions/sdk.md, "A call is a promise with result(), and a list can be iterated".
    queueMicrotask(() => queueMicrotask(() => this.#sendUnheard()));
  }

  /**
   * The answer, whichever the contract documents: `status` tells which, and with it the type of `data` or that `error` is
   * there. Throws only when no answer of this API came.
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
    // The contract's types say what each status brings; at run time answers are alike.
    return this.#answer() as Promise<unknown> as Promise<Result<Id>>;
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise.
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

  /** Used where another function makes the request instead, page by page. */
  protected takeOver(): void {
    this.#isAwaited = true;
  }

  #answer(): Promise<AnyResult> {
    this.#sent ??= this.#send();
    return this.#sent;
  }

  /** As with every promise, a failure that nobody waits for is an unhandled rejection. */
  #sendUnheard(): void {
    if (this.#isAwaited) return;
    this.#answer()
      .then(bodyOf)
      .catch((error) => {
        if (!this.#isAwaited) void Promise.reject(error);
      });
  }
}

// biome-ignore lint/suspicious/noExplicitAny: as a promise has it.
type OnRejected<Rejected> = ((reason: any) => Rejected | PromiseLike<Rejected>) | null;

/** The body of a success; every other answer is thrown. */
export function bodyOf({ status, data, error, requestId }: AnyResult): object {
  if (error) throw error;
  if (data) return data;
  throw new ApiError('Nothing has changed, so there is no body; ask with .result() when you send ifNoneMatch.', {
    status,
    requestId,
  });
}
