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
    label: 'A webhook endpoint fails',
    description: 'It has accepted no webhook for an hour. At most one mail a day for each endpoint.',
    roles: technical,
  },
  {
    kind: 'endpoint_disabled',
    label: 'A webhook endpoint was switched off',
    description: 'It answered 410 Gone, or it accepted no webhook for 72 hours.',
    roles: technical,
  },
  {
    kind: 'endpoint_well',
    label: 'A webhook endpoint works again',
    description: 'After a mail that it fails or was switched off.',
    roles: technical,
  },
  {
    kind: 'api_key',
    label: 'API keys',
    description: 'A key was created, rolled or revoked, or a program calls with a key that has ended.',
    roles: technical,
  },
  {
    kind: 'payment_review',
    label: 'A payment is under review',
    description: 'For example, the customer has paid twice.',
    roles: commercial,
  },
  {
    kind: 'dispute',
    label: 'Disputes',
    description: 'A customer disputes a payment, the evidence is due in three days, or the dispute is decided.',
    roles: commercial,
  },
  {
    kind: 'transfer_failed',
    label: 'A transfer failed or came back',
    description: 'The money is in the Transfer wallet again.',
    roles: commercial,
  },
  {
    kind: 'processor_silent',
    label: 'The payment processor does not answer',
    description: 'Every call in live mode has failed for five minutes. A second mail says when it answers again.',
    roles: ['operator'],
  },
];
