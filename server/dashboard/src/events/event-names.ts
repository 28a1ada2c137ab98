import type { EventName } from '@tillhook/sdk/session';

export const eventNames = [
  'checkout.success',
  'checkout.failed',
  'transfer.success',
  'transfer.failed',
  'test.event',
] as const satisfies EventName[];
