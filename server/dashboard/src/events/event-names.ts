import type { Query } from '@tillhook/sdk/session';

/** An event that this version of the page knows. Lists can be filtered by it. */
type KnownEvent = NonNullable<Query<'listEvents'>['event']>;

/** The compiler reports an event that is missing here. */
export const eventNames = Object.keys({
  'checkout.success': true,
  'checkout.failed': true,
  'transfer.success': true,
  'transfer.failed': true,
  'test.event': true,
} satisfies Record<KnownEvent, true>) as KnownEvent[];
