import type { Query } from '@tillhook/sdk/session';

type KnownEvent = Extract<Query<'listEvents'>['event'], string>;

type RecordKind = 'payment' | 'transfer' | 'refund';

/** The kind of record that an event is about; null for a test event. The compiler reports an event type without one. */
const records = {
  'checkout.success': 'payment',
  'checkout.failed': 'payment',
  'checkout.expired': 'payment',
  'transfer.success': 'transfer',
  'transfer.failed': 'transfer',
  'refund.success': 'refund',
  'refund.failed': 'refund',
  'test.event': null,
} as const satisfies Record<KnownEvent, RecordKind | null>;

const recordByEvent = new Map<string, RecordKind | null>(Object.entries(records));

export const eventNames = Object.keys(records) as KnownEvent[];

/** Returns null for a test event, and for a type that this page does not know. */
export function recordOf(event: string): RecordKind | null {
  return recordByEvent.get(event) ?? null;
}
