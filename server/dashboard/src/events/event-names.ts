import type { Query } from '@tillhook/sdk/session';

/** An event that this version of the page knows. Lists can be filtered by it. */
type KnownEvent = Extract<Query<'listEvents'>['event'], string>;

type RecordKind = 'payment' | 'transfer' | 'refund';

/** The record that each event is about; none for a test event. The compiler reports an event that is missing here. */
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

/** The kind of record that the event is about; null for a test event, and for an event that this page does not know. */
export function recordOf(event: string): RecordKind | null {
  return recordByEvent.get(event) ?? null;
}
