/**
 * The mails that a person can switch off, and the roles that get them. Choice: an operator gets the mails about the
 * operator's own merchant too, because a merchant that runs its own service often has no other user. The kinds are
 * stored with mails and preferences, so they keep their names.
 */
import type { Role } from './permissions.ts';

export type NotificationKind =
  | 'endpoint_failing'
  | 'endpoint_disabled'
  | 'endpoint_well'
  | 'api_key'
  | 'payment_review'
  | 'dispute'
  | 'transfer_failed'
  | 'processor_silent';

const technical: readonly Role[] = ['administrator', 'developer', 'operator'];
const commercial: readonly Role[] = ['administrator', 'support', 'operator'];

export const receivers: Readonly<Record<NotificationKind, readonly Role[]>> = {
  endpoint_failing: technical,
  endpoint_disabled: technical,
  endpoint_well: technical,
  api_key: technical,
  payment_review: commercial,
  dispute: commercial,
  transfer_failed: commercial,
  processor_silent: ['operator'],
};

export const notificationTitles: Readonly<Record<NotificationKind, string>> = {
  endpoint_failing: 'A webhook endpoint fails',
  endpoint_disabled: 'A webhook endpoint was switched off',
  endpoint_well: 'A webhook endpoint works again',
  api_key: 'An API key was created, rolled, revoked, or used after its end',
  payment_review: 'A payment is under review',
  dispute: 'A payment is disputed',
  transfer_failed: 'A transfer failed or came back',
  processor_silent: 'The payment processor does not answer',
};

export const notificationKinds = Object.keys(receivers) as NotificationKind[];

export function isNotificationKind(kind: string): kind is NotificationKind {
  return Object.hasOwn(receivers, kind);
}
