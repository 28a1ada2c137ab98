/** Sends a webhook as the service does: signed, with all headers of a delivery, and with retries. */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { sign } from '@tillhook/sdk/webhooks';
import type { EventOrder } from './event-order.ts';
import { type Outcome, postWebhook } from './post-webhook.ts';

export interface Attempt extends Outcome {
  attempt: number;
  startedAt: string;
  durationMs: number;
}

export interface Sent {
  delivered: boolean;
  deliveryId: string;
  eventId: string;
  body: EventOrder['body'];
  attempts: Attempt[];
}

interface SendOptions {
  /** Called after each attempt; `retryInMs` is null if there will be no other. */
  onAttempt?: (attempt: Attempt, retryInMs: number | null) => void;
  signal?: AbortSignal;
  /** Runs each attempt when it is its turn, for a sender of many events. The waits between attempts take no turn. */
  inTurn?: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

/**
 * Choice: the retries wait seconds, and those of the service minutes and hours, because here a developer waits for
 * them.
 */
const retryDelaysMs = [1000, 2000, 4000];

/** Sends the event and returns the outcome. If no attempt is received, that takes at least seven seconds. */
export async function sendEvent(order: EventOrder, options: SendOptions = {}): Promise<Sent> {
  const { onAttempt, signal, inTurn = (work) => work() } = options;
  const sent = { deliveryId: randomUUID(), eventId: order.eventId, body: order.body };
  const attempts: Attempt[] = [];
  for (let delayMs: number | null = 0; delayMs !== null; ) {
    if (delayMs > 0) await wait(delayMs, undefined, { signal }).catch(() => undefined);
    const attempt = await inTurn(async () =>
      signal?.aborted ? null : post(order, { ...sent, attempt: attempts.length + 1 }, signal),
    );
    // What a stop has cut short says nothing about the receiver.
    if (attempt === null || signal?.aborted) break;
    attempts.push(attempt);
    // 410 means that the endpoint is gone. The service stops too.
    const isOver = isReceived(attempt) || attempt.statusCode === 410;
    delayMs = isOver ? null : (retryDelaysMs[attempts.length - 1] ?? null);
    onAttempt?.(attempt, delayMs);
  }
  return { delivered: attempts.some(isReceived), ...sent, attempts };
}

async function post(
  { url, event, secret, body }: EventOrder,
  { deliveryId, eventId, attempt }: Pick<Sent, 'deliveryId' | 'eventId'> & Pick<Attempt, 'attempt'>,
  stopping?: AbortSignal,
): Promise<Attempt> {
  const text = JSON.stringify(body);
  const startedAt = new Date();
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': 'Tillhook-Mock',
    ...(await sign(text, secret, { id: eventId, timestamp: Math.floor(startedAt.getTime() / 1000) })),
    'X-Service-Event': event,
    'X-Service-Webhook-Id': String(body.webhookId),
    'X-Service-Attempt': String(attempt),
    'X-Service-Delivery-Id': deliveryId,
  };
  const outcome = await postWebhook(url, { headers, body: text, signal: stopping });
  return { attempt, startedAt: startedAt.toISOString(), durationMs: Date.now() - startedAt.getTime(), ...outcome };
}

const isReceived = ({ statusCode }: Attempt) => statusCode !== null && statusCode >= 200 && statusCode < 300;
