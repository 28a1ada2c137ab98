import type { Claimed, CoreContext } from '../../context.ts';
import { randomFraction } from '../../kit/ids.ts';
import { deliveryAttempted } from '../../kit/logger.ts';
import { inOwnStatement, run } from '../../platform/database/statement.ts';
import type { AttemptSpan } from '../../telemetry/tracing/tracer.ts';
import { deliveryRequest } from '../../wire/delivery-request.ts';
import type { Outcome } from '../../wire/flight.ts';
import { signingKeysAt } from '../endpoints/signing-keys.ts';
import { maxClaims } from '../queue/claim.ts';
import type { Attempt, NextStep } from '../queue/record.ts';
import { nextStep } from './retry-policy.ts';

export async function makeAttempt(context: CoreContext, delivery: Claimed): Promise<Attempt> {
  const attempt = delivery.attemptCount + 1;
  const startedAt = context.clock.now();
  const keys = signingKeysAt(context.keyring, delivery.endpointId, delivery.target, startedAt);
  const span = beginSpan(context, delivery, attempt);
  const content = { ...delivery, attempt, traceparent: span?.traceparent };
  const { headers, body } = deliveryRequest(content, keys, startedAt);
  const outcome = await context.sender.post({ url: delivery.target.url, headers, body });
  span?.end(outcome);
  const endedAt = new Date(startedAt.getTime() + outcome.durationMs);
  const made = {
    delivery,
    attempt,
    startedAt,
    outcome,
    next: nextStepOf(context, delivery, { ...outcome, attempt, endedAt }),
  };
  logAttempt(context, made, span?.traceId);
  return made;
}

function beginSpan({ sender, tracer }: CoreContext, delivery: Claimed, attempt: number): AttemptSpan | undefined {
  const { id: deliveryId, eventId, eventName, eventTraceparent, endpointId: webhookId, target } = delivery;
  if (!eventTraceparent) return undefined;
  const { merchantId, mode, url } = target;
  const ids = { deliveryId, eventId, webhookId, merchantId };
  return tracer.beginAttempt(eventTraceparent, { ...ids, eventName, mode, attempt, host: sender.hostOf(url) });
}

/** Choice: a test event is sent once and never disables its endpoint, because the merchant sees the result. */
function nextStepOf(
  context: CoreContext,
  { eventName }: Claimed,
  { attempt, ...outcome }: Outcome & { attempt: number; endedAt: Date },
): NextStep {
  const isTest = eventName === 'test.event';
  const delaysMs = isTest ? [] : context.config.delivery.retryDelaysMs;
  const next = nextStep(outcome, { attempt, delaysMs, random: randomFraction });
  return isTest && next.step === 'disable' ? { step: 'give-up' } : next;
}

function logAttempt(context: CoreContext, made: Attempt, traceId: string | undefined): void {
  const { delivery, attempt, outcome, next } = made;
  if (!context.log.isLevelEnabled('info')) return;
  context.log.info(
    {
      deliveryId: delivery.id,
      eventId: delivery.eventId,
      traceId,
      event: delivery.eventName,
      webhookId: delivery.endpointId,
      merchantId: delivery.target.merchantId,
      mode: delivery.target.mode,
      // Only the host is logged, because the rest of a URL often contains a secret.
      host: context.sender.hostOf(delivery.target.url),
      attempt,
      claims: delivery.claims,
      statusCode: outcome.statusCode,
      error: outcome.error,
      errorCause: outcome.errorCause ?? undefined,
      durationMs: outcome.durationMs,
      next: next.step,
      retryInMs: next.step === 'retry' ? next.delayMs : undefined,
    },
    deliveryAttempted,
  );
}

/** A poison delivery is given up when it was sent alone this many times without a recorded result. */
const maxTries = 3;
/** If a poison delivery waits longer than this time for its turn, it is handed back, before its lease can end. */
const maxWaitMs = 5000;

/**
 * Most poison deliveries only waited in a process that died, but one of them may be the cause of the crash. So each
 * poison delivery is sent alone, and is counted before it is sent.
 * See docs/decisions/delivery.md, "A delivery is given up as crashed only when it was sent alone".
 */
export interface PoisonDeliveries {
  /** Resolves with `crashed` if the delivery has failed, and with undefined if the caller must return it to the queue. */
  runInTurn<Made>(delivery: Claimed, work: () => Promise<Made>): Promise<Made | 'crashed' | undefined>;
}

export const isPoisonDelivery = ({ claims }: Claimed): boolean => claims >= maxClaims;

export function createPoisonDeliveries(context: CoreContext): PoisonDeliveries {
  let last: Promise<unknown> = Promise.resolve();

  async function tryOnce<Made>(delivery: Claimed, work: () => Promise<Made>): Promise<Made | 'crashed' | undefined> {
    if (delivery.claims >= maxClaims + maxTries) return 'crashed';
    return (await saveTry(context, delivery)) ? work() : undefined;
  }

  return {
    runInTurn(delivery, work) {
      const sendByMs = performance.now() + maxWaitMs;
      const turn = last.then(() => (performance.now() < sendByMs ? tryOnce(delivery, work) : undefined));
      last = turn.catch(() => {});
      return turn;
    },
  };
}

/** Counts the try before the attempt, because a crashed process cannot count. Returns false if the lease is lost. */
async function saveTry(context: CoreContext, { id, lease }: Claimed): Promise<boolean> {
  const count = await inOwnStatement(
    context,
    (statement) => run(statement)`
      update pending_delivery set claims = claims + 1 where delivery_id = ${id} and lease = ${lease}`,
  );
  return count === 1;
}
