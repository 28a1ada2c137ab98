import type { EventName } from '@tillhook/sdk/webhooks';

/** Describes how `trigger` causes each event. The compiler reports an event of the contract that has no description. */
export const triggers = {
  'checkout.success': 'creates a checkout and pays it',
  'checkout.failed': 'creates a checkout whose card is declined',
  'checkout.expired': 'creates a checkout and cancels it',
  'transfer.success': 'funds the Transfer wallet and sends money',
  'transfer.failed': 'sends money to an account that does not exist',
  'refund.success': 'pays a checkout and refunds it',
  'refund.failed': 'refunds a card that takes no refunds; takes half a minute',
  'test.event': 'sends a test event to one of your endpoints',
} as const satisfies Record<EventName, string>;

export const eventNames = Object.keys(triggers) as EventName[];

export const maxEventNameLength = Math.max(...eventNames.map(({ length }) => length));
