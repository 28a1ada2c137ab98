import type { CoreContext } from '../../context.ts';
import { randomFraction } from '../../kit/ids.ts';
import { deliveryAttempted } from '../../kit/logger.ts';
import type { AttemptSpan } from '../../telemetry/tracing/tracer.ts';
import type { Claimed } from '../../wire/claimed.ts';
import { deliveryRequest } from '../../wire/delivery-request.ts';
import type { Outcome } from '../../wire/flight.ts';
import type { SigningKeys } from '../../wire/keyring.ts';
import { sealedSecretsAt } from '../endpoints/endpoint.entity.ts';
import type { Attempt } from '../queue/record.ts';
import { type NextStep, nextStep } from '../queue/retry-policy.ts';

/** Sends a claimed delivery once and logs the attempt. It saves nothing. */
export async function makeAttempt(context: CoreContext, delivery: Claimed): Promise<Attempt> {
  const attempt = delivery.attemptCount + 1;
  const startedAt = context.clock.now();
  const keys = signingKeysOf(context, delivery, startedAt);
  const span = beginSpan(context, delivery, attempt);
  const parts = { ...delivery, attempt, traceparent: span?.traceparent };
  const { headers, body } = deliveryRequest(parts, keys, startedAt);
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

/** Returns the keys of the secrets that sign this delivery at this time. */
function signingKeysOf({ keyring }: CoreContext, { endpointId, target }: Claimed, now: Date): SigningKeys {
  const { own, others } = sealedSecretsAt(target, now);
  const open = (sealed: string) => keyring.open(sealed, endpointId);
  return { own: open(own), others: others.map(open) };
}

/**
 * Choice: a test event is sent once and never disables its endpoint, because the merchant who sends it sees the result.
 */
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
      // Only the host, because the rest of a URL often contains a secret.
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
