import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { sign } from '@tillhook/sdk/webhooks';
import { v7 as newId } from 'uuid';
import { type Fault, faults, oldSeconds } from './faults.ts';
import { isReceived, type Outcome, postWebhook } from './post-webhook.ts';

/** Choice: no endpoint has this id, so a receiver can distinguish events of `listen` and `resend` from deliveries. */
export const localWebhookId = '00000000-0000-7000-8000-000000000001';

export interface EventOrder {
  eventId: string;
  event: string;
  url: string;
  secret: string;
  body: Record<string, unknown>;
  mode: 'test' | 'live';
  fault?: Fault;
}

export interface Attempt extends Outcome {
  attempt: number;
  url: string;
  startedAt: string;
  durationMs: number;
  /** The headers of the request, without the signatures. */
  requestHeaders: Record<string, string>;
}

export interface Sent {
  delivered: boolean;
  deliveryId: string;
  eventId: string;
  body: EventOrder['body'];
  attempts: Attempt[];
  /** Whether the receiver handled a webhook with a fault correctly; undefined for a webhook without a fault. */
  verdict?: Verdict;
}

interface SendOptions {
  deliveryId?: string;
  /** `retryInMs` is null when no retry follows. */
  onAttempt?: (attempt: Attempt, retryInMs: number | null) => void;
  signal?: AbortSignal;
  /** Returns a signal that ends the wait before the next attempt, so that the attempt begins immediately. */
  madeDue?: () => AbortSignal;
  retries?: boolean;
  /** Limits how many attempts of a sender run at the same time. The waits between attempts do not count. */
  inTurn?: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

/** Choice: a retry follows after seconds, because a developer is waiting. The service waits minutes and hours. */
const retryDelaysMs = [1000, 2000, 4000];

/** Each attempt reads `order.url` and `order.secret` again, because the endpoint may change between attempts. */
export async function sendEvent(order: EventOrder, options: SendOptions = {}): Promise<Sent> {
  const { signal, onAttempt, madeDue, retries = true, deliveryId = newId(), inTurn = (work) => work() } = options;
  const attempts: Attempt[] = [];
  const delays = delaysOf(order, retries);
  for (let delayMs: number | null = 0; delayMs !== null; ) {
    if (delayMs > 0) await wait(delayMs, undefined, { signal: anyOf(signal, madeDue?.()) }).catch(() => undefined);
    const attempt = await inTurn(async () =>
      signal?.aborted ? null : post(order, { deliveryId, attempt: attempts.length + 1 }, signal),
    );
    // A cancelled attempt is not reported, because it says nothing about the receiver.
    if (attempt === null || signal?.aborted) break;
    attempts.push(attempt);
    delayMs = isEnd(order, attempt) ? null : (delays[attempts.length - 1] ?? null);
    onAttempt?.(attempt, delayMs);
  }
  const { eventId, body, fault } = order;
  const sent = {
    delivered: attempts.some(({ statusCode }) => isReceived(statusCode)),
    deliveryId,
    eventId,
    body,
    attempts,
  };
  const statuses = attempts.map(({ statusCode }) => statusCode);
  return fault ? { ...sent, verdict: judge(fault, statuses) } : sent;
}

/** As in the service, no retry follows a success or 410 Gone. A webhook with a fault has a fixed number of attempts. */
function isEnd({ fault }: EventOrder, attempt: Attempt): boolean {
  return fault === undefined && (isReceived(attempt.statusCode) || attempt.statusCode === 410);
}

function delaysOf({ fault }: EventOrder, retries: boolean): number[] {
  if (fault) return Array.from({ length: faults[fault].times - 1 }, () => 0);
  return retries ? retryDelaysMs : [];
}

const anyOf = (...signals: (AbortSignal | undefined)[]) =>
  AbortSignal.any(signals.filter((signal) => signal !== undefined));

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
  const outcome = await postWebhook(url, { headers: { ...common, ...signed }, body: text, signal: stopping });
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

export interface Verdict {
  isCorrect: boolean;
  message: string;
}

function judge(fault: Fault, statuses: readonly (number | null)[]): Verdict {
  const { what, isToBeRefused } = faults[fault];
  if (statuses.length === 0 || statuses.includes(null)) {
    return { isCorrect: false, message: 'The receiver gave no answer' };
  }
  const areReceived = statuses.map(isReceived);
  if (isToBeRefused) {
    const isCorrect = !areReceived.includes(true);
    return {
      isCorrect,
      message: `The receiver ${isCorrect ? 'refused' : 'accepted'} a webhook ${what}${isCorrect ? '' : ': it must refuse it'}`,
    };
  }
  const isCorrect = !areReceived.includes(false);
  return {
    isCorrect,
    message: `The receiver ${isCorrect ? 'accepted' : 'refused'} a webhook ${what}${isCorrect ? '' : ': it must answer 2xx'}`,
  };
}
