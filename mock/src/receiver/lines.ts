import { localWebhookId } from '@tillhook/developer/sending/event-sender';
import { moneyText } from '@tillhook/developer/terminal/money-text';
import { printable } from '@tillhook/developer/terminal/printable';
import type { Delivery } from './delivery-log.ts';
import type { Reply } from './recording-server.ts';

const marks = { verified: '✓', refused: '✗', unverified: '?' };

interface Description {
  changes?: string | null;
  reply?: Reply;
}

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

/** True for a rejected webhook that `listen` sent, with a secret that the receiver does not have. */
function isFromListen({ verification, headers }: Delivery): boolean {
  return verification === 'refused' && headers['x-service-webhook-id'] === localWebhookId;
}

function replyText({ status = 200, delayMs = 0 }: Reply): string {
  return delayMs > 0 ? `answer ${status} after ${delayMs / 1000} s` : `answer ${status}`;
}

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

export interface Addresses {
  /** The URL of the receiver, which ends in `/webhooks`. */
  receiver: string;
  /** The URL of the service or the mock. */
  service: string;
}

/** The command registers the receiver and sends the answer, which contains the signing secret, to the receiver. */
export function registerCommand({ receiver, service }: Addresses): string {
  return `curl -s ${service}/api/v1/merchant-webhooks -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' -d '{"url": "${receiver}"}' \\
  | curl -s ${new URL('/secrets', receiver)} -d @-`;
}

interface Greeting extends Pick<Addresses, 'service'> {
  secretCount: number;
  rule: string;
}

export function receiverGreeting(url: string, { service, secretCount, rule }: Greeting): string {
  const receiver = url.replace('//127.0.0.1:', '//localhost:');
  const heading = `The receiver that stands in for a merchant: ${url}\n${rule}`;
  if (secretCount > 0) {
    return `${heading}\nIt verifies webhooks with the given ${secretCount === 1 ? 'secret' : 'secrets'}.\n`;
  }
  return `${heading}

It knows no secret yet, so it shows events as unverified. Register its address, and give it the secret of the answer.
KEY is the test key that \`npm start\` prints; at the mock, http://localhost:4010, it is sk_test_mock:

${registerCommand({ receiver, service })}
`;
}
