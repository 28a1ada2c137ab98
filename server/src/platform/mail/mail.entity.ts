import { defineEntity, p } from '@mikro-orm/core';

/**
 * `refused` by the receiving mail server; `failed` after two days of tries; `dropped` because it is no longer needed.
 */
export type MailStatus = 'pending' | 'sent' | 'refused' | 'failed' | 'dropped';

const MailSchema = defineEntity({
  name: 'Mail',
  properties: {
    id: p.uuid().primary(),
    kind: p.text(),
    /** Null for a mail to an operator. */
    merchantId: p.uuid().nullable(),
    recipient: p.text(),
    /** The header `Message-ID`, the same in every try, so that mail programs show a mail that was sent twice once. */
    messageId: p.text(),
    /** The values that the mail is rendered from, as encrypted JSON, because a value may be the token of a link. */
    sealedValues: p.text(),
    status: p.text().$type<MailStatus>(),
    tries: p.integer(),
    /** The mail server's answer to the last try, or the reason why there was no answer. */
    lastAnswer: p.text().nullable(),
    createdAt: p.datetime(3),
    endedAt: p.datetime(3).nullable(),
  },
});

/**
 * Only SQL uses the columns `next_check_at`, the time of the next try, and `rests_until`: until then other mails to the
 * address of this mail are refused without a try.
 */
export class Mail extends MailSchema.class {}
MailSchema.setClass(Mail);
