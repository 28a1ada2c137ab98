import type { MailContent } from '../../platform/mail/mails.service.ts';
import { type CustomerMail, type MailValues, renderCustomerMail, valuesOf } from './customer-mail.ts';

export interface RefundMail extends CustomerMail {
  refund: {
    reference: string;
    amount: bigint;
    createdAt: Date;
    updatedAt: Date;
    completedAt?: Date | null | undefined;
  };
}

export function refundBegunMail(mail: RefundMail): MailContent {
  const values = valuesOf(mail);
  return renderCustomerMail(mail, values, {
    subject: 'refundBegun.subject',
    heading: 'refundBegun.heading',
    paragraphs: [values.words.text('refundBegun.lead', sentenceValues(mail, values)), values.words.text('refund.bank')],
    tables: tables(mail, values, values.row('detail.begunOn', values.moment(mail.refund.createdAt))),
    button: 'refund.open',
  });
}

export function refundArrivedMail(mail: RefundMail): MailContent {
  const values = valuesOf(mail);
  const { completedAt } = mail.refund;
  return renderCustomerMail(mail, values, {
    subject: 'refundArrived.subject',
    heading: 'refundArrived.heading',
    paragraphs: [
      values.words.text('refundArrived.lead', sentenceValues(mail, values)),
      values.words.text('refund.bank'),
    ],
    tables: tables(mail, values, values.row('detail.completedOn', completedAt && values.moment(completedAt))),
    button: 'refund.open',
  });
}

/** The reason of the failure is not shown, because it is written for the merchant. */
export function refundFailedMail(mail: RefundMail): MailContent {
  const values = valuesOf(mail);
  const { words, merchant } = values;
  return renderCustomerMail(mail, values, {
    subject: 'refundFailed.subject',
    heading: 'refundFailed.heading',
    paragraphs: [
      words.text('refundFailed.lead', sentenceValues(mail, values)),
      // The time of completion stays when a completed refund fails, and an earlier mail reported the completion.
      ...(mail.refund.completedAt ? [words.text('refundFailed.afterAll', { merchant })] : []),
      words.text('refundFailed.advice', { merchant }),
    ],
    tables: tables(mail, values, values.row('detail.failedOn', values.moment(mail.refund.updatedAt))),
    button: 'refund.open',
  });
}

function sentenceValues({ refund }: RefundMail, { merchant, money }: MailValues) {
  return { merchant, amount: money(refund.amount) };
}

function tables({ payment, refund }: RefundMail, values: MailValues, time: ReturnType<MailValues['row']>) {
  const { words, leftToRight, row, amountRow } = values;
  return [
    [
      { ...amountRow(words.text('detail.refund'), refund.amount), isTotal: true },
      amountRow(words.text('detail.payment'), payment.amount),
      values.methodRow(),
      row('detail.refundReference', leftToRight(refund.reference)),
      row('detail.paymentReference', leftToRight(payment.reference)),
      time,
    ],
  ];
}
