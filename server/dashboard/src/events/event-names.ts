import type { EventName } from '@tillhook/sdk/session';

/** The compiler reports an event that is missing here. */
export const eventNames = Object.keys({
  'checkout.success': true,
  'checkout.failed': true,
  'transfer.success': true,
  'transfer.failed': true,
  'test.event': true,
} satisfies Record<EventName, true>) as EventName[];
