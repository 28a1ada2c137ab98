/** Sends a webhook as the service does: signed, with all headers of a delivery, and with retries. */
import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { sign } from '@tillhook/sdk/webhooks';
import { v7 as newId } from 'uuid';
import type { EventOrder } from './event-order.ts';
import { faults, judge, oldSeconds, type Verdict } from './faults.ts';
import { exchange, type Outcome } from './webhook-exchange.ts';

export interface Attempt extends Outcome {
  attempt: number;
  url: string;
  startedAt: string;
  durationMs: number;
  /** What was sent, without the signatures. */
  requestHeaders: Record<string, string>;
}

export interface Sent {
  delivered: boolean;
  deliveryId: string;
  eventId: string;
  body: EventOrder['body'];
  attempts: Attempt[];
  /** Whether the receiver did what it must do with a webhook that has a fault. */
  verdict?: Verdict;
}

interface SendOptions {
  deliveryId?: string;
  onAttempt?: (attempt: Attempt) => void;
  /** Called before the wait for the next attempt. */
  onWait?: (delayMs: number) => void;
  /** Ends everything when it is aborted. */
  signal?: AbortSignal;
  /** Ends the present wait when it is aborted. */
  hurry?: () => AbortSignal;
  retries?: boolean;
}

/**
 * Choice: the retries wait seconds, and those of the service minutes and hours, because here a developer waits for
 * them.
 */
const retryDelaysMs = [1000, 2000, 4000];

/**
 * Sends the event and returns the outcome. If no attempt is received, that takes at least seven seconds. The address and
 * the secret of the order are read again for each attempt.
 */
export async function sendEvent(order: EventOrder, options: SendOptions = {}): Promise<Sent> {
  const { signal, onAttempt, onWait, hurry, retries = true, deliveryId = newId() } = options;
  const attempts: Attempt[] = [];
  for (const delayMs of delaysOf(order, retries)) {
    if (delayMs > 0) {
      onWait?.(delayMs);
      await wait(delayMs, undefined, {
        signal: AbortSignal.any([signal, hurry?.()].filter((one) => one !== undefined)),
      }).catch(() => undefined);
    }
    if (signal?.aborted) break;
    const attempt = await post(order, { deliveryId, attempt: attempts.length + 1 }, signal);
    attempts.push(attempt);
    onAttempt?.(attempt);
    // 410 means that the endpoint is gone. The service stops too.
    if (order.fault === undefined && (isReceived(attempt) || attempt.statusCode === 410)) break;
  }
  const { eventId, body, fault } = order;
  const verdict = fault && {
    verdict: judge(
      fault,
      attempts.map(({ statusCode }) => statusCode),
    ),
  };
  return { delivered: attempts.some(isReceived), deliveryId, eventId, body, attempts, ...verdict };
}

export const isReceived = ({ statusCode }: Outcome) => statusCode !== null && statusCode >= 200 && statusCode < 300;

function delaysOf({ fault }: EventOrder, retries: boolean): number[] {
  if (fault) return Array.from({ length: faults[fault].times }, () => 0);
  return retries ? [0, ...retryDelaysMs] : [0];
}

async function post(
  order: EventOrder,
  { deliveryId, attempt }: Pick<Sent, 'deliveryId'> & Pick<Attempt, 'attempt'>,
  stopping?: AbortSignal,
): Promise<Attempt> {
  const { url, event, body, eventId } = order;
  const text = JSON.stringify(body);
  const startedAt = new Date();
  const signed = await signatureOf(order, text, startedAt);
  const { 'X-Service-Signature': _, 'webhook-signature': __, ...unsecret } = signed;
  const common = {
    'Content-Type': 'application/json',
    'User-Agent': 'Tillhook-Mock',
    'X-Service-Event': event,
    'X-Service-Webhook-Id': String(body.webhookId),
    'X-Service-Attempt': String(attempt),
    'X-Service-Delivery-Id': deliveryId,
  };
  const init = { method: 'POST', headers: { ...common, ...signed }, body: text };
  const outcome = await exchange(url, init, stopping);
  const requestHeaders = { ...common, ...unsecret, 'webhook-id': eventId };
  return {
    attempt,
    url,
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    requestHeaders,
    ...outcome,
  };
}

function signatureOf({ eventId, secret, fault }: EventOrder, text: string, now: Date) {
  const timestamp = Math.floor(now.getTime() / 1000) - (fault === 'old' ? oldSeconds : 0);
  const used = fault === 'bad-signature' ? `whsec_${randomBytes(24).toString('base64')}` : secret;
  return sign(text, used, { id: eventId, timestamp });
}
