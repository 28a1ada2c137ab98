/**
 * A receiver may close an idle connection at the moment when a request is sent on the connection. The receiver has then
 * most likely not read the request, so the same attempt sends the request again at once on a new connection.
 * See docs/decisions/delivery.md, "An attempt in flight is one object of a class".
 */
import type { Dispatcher } from 'undici';
import { createAnswer } from './answer.ts';
import { AttemptError, type DeliveryError, deliveryError, isReset, tlsCause } from './delivery-error.ts';
import type { GuardedAgent } from './guarded-agent.ts';
import type { Origins } from './origins.ts';
import type { TimeLimit } from './time-limit.ts';

/** A failure of the receiver is an outcome, too, and never an exception. */
export interface Outcome {
  durationMs: number;
  statusCode: number | null;
  /** Null if a status code and all headers were received, even if reading the body failed. */
  error: DeliveryError | null;
  errorCause: string | null;
  responseHeaders: Record<string, string> | null;
  responseBody: string | null;
  responseTruncated: boolean;
  retryAfter: string | null;
}

export interface SenderDependencies {
  agent: GuardedAgent;
  origins: Origins;
  timeLimit: TimeLimit;
}

type Controller = Dispatcher.DispatchController;
type OnOutcome = (outcome: Outcome) => void;

export interface Request extends Dispatcher.DispatchOptions {
  origin: string;
}

export class Flight implements Dispatcher.DispatchHandler {
  readonly startedMs = performance.now();
  isOver = false;
  private readonly dependencies: SenderDependencies;
  private readonly request: Request;
  private readonly onOutcome: OnOutcome;
  private controller: Controller | undefined = undefined;
  private answer: ReturnType<typeof createAnswer> | undefined = undefined;
  private isRepeated = false;
  private isReused = false;
  private hasBegun = false;
  private isDispatched = false;

  constructor(dependencies: SenderDependencies, request: Request, onOutcome: OnOutcome) {
    this.dependencies = dependencies;
    this.request = request;
    this.onOutcome = onOutcome;
  }

  start(): void {
    this.dependencies.timeLimit.add(this);
    this.dependencies.origins.enter(this.request.origin, this);
  }

  dispatch(): void {
    this.isDispatched = true;
    this.dependencies.agent.shared.dispatch(this.request, this);
  }

  endInTime(): void {
    this.end(new AttemptError('timeout'));
    this.abort();
  }

  onRequestStart(controller: Controller): void {
    this.controller = controller;
    this.isReused = !this.dependencies.agent.isFirstOnConnection();
    // The attempt may have timed out while the request waited for a connection.
    if (this.isOver) this.abort();
  }

  onResponseStarted(): void {
    this.hasBegun = true;
  }

  onResponseStart(_controller: Controller, statusCode: number, headers: Record<string, string | string[]>): void {
    // Interim responses, such as 103, come before the final response.
    if (statusCode >= 200) this.answer = createAnswer(statusCode, headers);
  }

  onResponseData(_controller: Controller, chunk: Buffer): void {
    if (this.isOver || !this.answer?.add(chunk)) return;
    this.end(undefined);
    this.abort();
  }

  onResponseEnd(): void {
    this.end(undefined);
  }

  onResponseError(_controller: Controller | null, error: Error): void {
    const mayRepeat = !this.isOver && !this.isRepeated && this.isReused && !this.hasBegun;
    if (mayRepeat && isReset(error)) this.repeat();
    else this.end(error);
  }

  private repeat(): void {
    this.isRepeated = true;
    this.controller = undefined;
    this.dependencies.agent.single.dispatch(this.request, this);
  }

  private end(error: unknown): void {
    if (this.isOver) return;
    this.isOver = true;
    this.dependencies.timeLimit.remove(this);
    if (this.isDispatched) this.dependencies.origins.leave(this.request.origin);
    // Choice: only the status and the headers decide, so a body that never ends or breaks off changes no outcome.
    // See docs/decisions/delivery.md, "The status and the headers of an answer decide".
    const answer = this.answer?.read(error === undefined);
    this.onOutcome({
      durationMs: Math.round(performance.now() - this.startedMs),
      statusCode: answer?.statusCode ?? null,
      error: answer ? null : deliveryError(error),
      errorCause: answer ? null : tlsCause(error),
      responseHeaders: answer?.headers ?? null,
      responseBody: answer?.body ?? null,
      responseTruncated: answer?.isTruncated ?? false,
      retryAfter: answer?.retryAfter ?? null,
    });
  }

  private abort(): void {
    this.controller?.abort(new Error('The sender has read enough of the answer.'));
  }
}
