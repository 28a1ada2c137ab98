import { receiptMails } from '../money/payments/receipts.service.ts';
import { refundMails } from '../money/refunds/customer-mails.service.ts';
import { passwordResetMails } from '../people/account/password-reset.service.ts';
import { notificationMails } from '../people/notifications/notification-mails.ts';
import { accountMails } from '../people/sessions/account-mails.service.ts';
import { invitationMails } from '../people/team/invitation-mails.service.ts';
import type { MailRenderers } from '../platform/mail/mails.service.ts';

/** The renderers of all kinds of mails. The kind is stored with a mail, so it keeps its name. */
export const mailRenderers: MailRenderers = {
  ...accountMails,
  ...passwordResetMails,
  ...invitationMails,
  ...notificationMails,
  ...receiptMails,
  ...refundMails,
};
