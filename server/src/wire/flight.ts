/**
 * One attempt in flight, and the handler to which undici gives the parts of the answer. It may send the request twice:
 * a receiver may close an idle connection in the moment in which a request is sent on it. Most likely it never read
 * that request, so the request is sent again at once on a new connection, as part of the same attempt.
 * See docs/decisions/delivery.md, "An attempt in flight is one object of a class".
 */
import type { Dispatcher } from 'undici';
import { createAnswer } from './answer.ts';
import { AttemptError, type DeliveryError, deliveryError, isReset, tlsCause } from './delivery-error.ts';
import type { GuardedAgent } from './guarded-agent.ts';
import type { Origins } from './origins.ts';
import type { TimeLimit } from './time-limit.ts';

/** The result of one attempt. A failure of the receiver is an outcome and is never thrown. */
export interface Outcome {
  durationMs: number;
  statusCode: number | null;
  /** Null when a status and headers came, whatever happened to the body after them. */
  error: DeliveryError | null;
  /** The code of Node for a failure of TLS. */
  errorCause: string | null;
  responseHeaders: Record<string, string> | null;
  responseBody: string | null;
  responseTruncated: boolean;
  retryAfter: string | null;
}

/** The parts of a sender, which all its attempts share. */
export interface SenderParts {
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
  private readonly parts: SenderParts;
  private readonly request: Request;
  private readonly onOutcome: OnOutcome;
  private controller: Controller | undefined = undefined;
  private answer: ReturnType<typeof createAnswer> | undefined = undefined;
  private isRepeated = false;
  private isReused = false;
  private hasBegun = false;
  private isDispatched = false;

  constructor(parts: SenderParts, request: Request, onOutcome: OnOutcome) {
    this.parts = parts;
    this.request = request;
    this.onOutcome = onOutcome;
  }

  start(): void {
    this.parts.timeLimit.add(this);
    this.parts.origins.enter(this.request.origin, this);
  }

  dispatch(): void {
    this.isDispatched = true;
    this.parts.agent.shared.dispatch(this.request, this);
  }

  endInTime(): void {
    this.end(new AttemptError('timeout'));
    this.abort();
  }

  onRequestStart(controller: Controller): void {
    this.controller = controller;
    this.isReused = !this.parts.agent.isFirstOnConnection();
    // The time ran out while the request waited for a connection.
    if (this.isOver) this.abort();
  }

  onResponseStarted(): void {
    this.hasBegun = true;
  }

  onResponseStart(_controller: Controller, statusCode: number, headers: Record<string, string | string[]>): void {
    // Interim answers, such as 103, come before the final answer.
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
    this.parts.agent.single.dispatch(this.request, this);
  }

  private end(error: unknown): void {
    if (this.isOver) return;
    this.isOver = true;
    this.parts.timeLimit.remove(this);
    if (this.isDispatched) this.parts.origins.leave(this.request.origin);
    // Choice: the status and the headers decide. The body is read for the log only, so that a body that never ends,
    // breaks off or is longer than what is read changes nothing.
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
    this.controller?.abort(new Error('No more of the answer is needed.'));
  }
}
