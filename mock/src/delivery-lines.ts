import type { Delivery } from './delivery-log.ts';
import { printable } from './printable.ts';

const marks = { verified: '✓', refused: '✗', unverified: '?' };

/** Describes a delivery in two to four lines for the terminal. `changes` says what changed since its last attempt. */
export function describeDelivery(delivery: Delivery, changes: string | null = null): string {
  const { verification, headers, problem } = delivery;
  const { event = headers['x-service-event'], data } = parse(delivery.body);
  const { reference, amount, currency, status, reason } =
    typeof data === 'object' && data !== null ? (data as Body) : {};
  const money = amount === undefined ? undefined : `${amount} ${currency ?? ''}`.trim();
  const lines = [
    [`${marks[verification]} ${verification}`, event ?? 'not an event', reference, money, status, reason],
    [
      `  attempt ${headers['x-service-attempt'] ?? '?'}`,
      `webhook-id ${headers['webhook-id'] ?? '?'}`,
      `endpoint ${headers['x-service-webhook-id'] ?? '?'}`,
    ],
    [changes && `  ${changes}`],
    [problem && `  ${problem}`],
  ];
  return lines
    .map((parts) => parts.filter((part) => part !== undefined && part !== null).join('  '))
    .filter((line) => line !== '')
    .map(printable)
    .join('\n');
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
