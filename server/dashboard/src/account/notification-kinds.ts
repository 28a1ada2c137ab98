import type { Preferences } from '@tillhook/sdk/session';

export interface NotificationKind {
  kind: Preferences['mailsOff'][number];
  label: string;
  description: string;
  /** The roles that get these mails. A test compares them with `server/src/kit/notification-kinds.ts`. */
  roles: readonly string[];
}

const technical = ['administrator', 'developer', 'operator'];
const commercial = ['administrator', 'support', 'operator'];

export const notificationKinds: readonly NotificationKind[] = [
  {
    kind: 'endpoint_failing',
    label: 'An endpoint is failing',
    description: 'It has not accepted a webhook for an hour. At most one email a day for each endpoint.',
    roles: technical,
  },
  {
    kind: 'endpoint_disabled',
    label: 'An endpoint was disabled',
    description: 'It returned 410 Gone, or it has not accepted a webhook for 72 hours.',
    roles: technical,
  },
  {
    kind: 'endpoint_well',
    label: 'An endpoint works again',
    description: 'Sent after an email that it was failing or was disabled.',
    roles: technical,
  },
  {
    kind: 'api_key',
    label: 'API keys',
    description: 'A key was created, rolled or revoked, or a program still uses a key that has expired.',
    roles: technical,
  },
  {
    kind: 'payment_review',
    label: 'A payment is under review',
    description: 'For example, the customer paid twice.',
    roles: commercial,
  },
  {
    kind: 'dispute',
    label: 'Disputes',
    description: 'A customer disputed a payment, evidence is due in three days, or the dispute was decided.',
    roles: commercial,
  },
  {
    kind: 'transfer_failed',
    label: 'A transfer failed or was reversed',
    description: 'The money is back in the Transfer wallet.',
    roles: commercial,
  },
  {
    kind: 'processor_silent',
    label: 'The payment processor is down',
    description: 'Every call in live mode has failed for five minutes. Another email follows when it works again.',
    roles: ['operator'],
  },
];
