import type { Delivery } from './delivery-log.ts';
import { localWebhookId } from './local-webhook-id.ts';
import { moneyText } from './money-text.ts';
import { printable } from './printable.ts';
import type { Reply } from './recording-server.ts';

const marks = { verified: '✓', refused: '✗', unverified: '?' };

interface Description {
  /** What changed since its last attempt. */
  changes?: string | null;
  /** What the receiver answers. */
  reply?: Reply;
}

/** Describes a delivery in two to four lines for the terminal. */
export function describeDelivery(delivery: Delivery, { changes = null, reply }: Description = {}): string {
  const { verification, headers, problem } = delivery;
  const { event = headers['x-service-event'], data } = parse(delivery.body);
  const { reference, status, reason, ...rest } = typeof data === 'object' && data !== null ? (data as Body) : {};
  const lines = [
    [`${marks[verification]} ${verification}`, event ?? 'not an event', reference, moneyOf(rest), status, reason],
    [
      `  attempt ${headers['x-service-attempt'] ?? '?'}`,
      reply && replyText(reply),
      `webhook-id ${headers['webhook-id'] ?? '?'}`,
      `endpoint ${headers['x-service-webhook-id'] ?? '?'}`,
    ],
    [changes && `  ${changes}`],
    [problem && `  ${problem}`],
    [
      isFromListen(delivery) &&
        '  It is from `listen`, which signs with the secret that it prints: give me that one too, with --secret.',
    ],
  ];
  return lines
    .map((parts) => parts.filter((part) => part !== undefined && part !== null && part !== false).join('  '))
    .filter((line) => line !== '')
    .map(printable)
    .join('\n');
}

/** Whether it was refused because only `listen` and its receiver know the secret. */
function isFromListen({ verification, headers }: Delivery): boolean {
  return verification === 'refused' && headers['x-service-webhook-id'] === localWebhookId;
}

function replyText({ status = 200, delayMs = 0 }: Reply): string {
  return delayMs > 0 ? `answer ${status} after ${delayMs / 1000} s` : `answer ${status}`;
}

/** As people write it, if it is money; a sender that is no Tillhook may send anything. */
function moneyOf({ amount, currency }: Body): string | undefined {
  if (Number.isSafeInteger(amount) && typeof currency === 'string' && /^[A-Z]{3}$/.test(currency))
    return moneyText(amount as number, currency);
  return amount === undefined ? undefined : `${amount} ${currency ?? ''}`.trim();
}

type Body = Record<string, unknown>;

function parse(body: Buffer): Body {
  try {
    const value: unknown = JSON.parse(String(body));
    return value !== null && typeof value === 'object' ? (value as Body) : {};
  } catch {
    return {};
  }
}
