import { html } from '../../kit/html.ts';
import type { Row } from '../../platform/mail/layout.ts';
import type { MailContent } from '../../platform/mail/mails.service.ts';
import {
  type CustomerMail,
  type MailedPayment,
  type MailValues,
  renderCustomerMail,
  valuesOf,
} from './customer-mail.ts';

interface MailedItem {
  name: string;
  quantity: number;
  unitAmount: number;
}

export interface ReceiptMail extends CustomerMail {
  payment: MailedPayment & {
    completedAt?: Date | null | undefined;
    description?: string | null | undefined;
    statementName?: string | null | undefined;
    lineItems?: readonly MailedItem[] | null | undefined;
  };
}

// The page behind the button shows all items, with their whole names. Gmail cuts off a mail that is too large.
const maxItems = 20;
const maxNameLength = 100;
/** The names of all shown items, as HTML. */
const maxNamesBytes = 4000;

export function receiptMail(mail: ReceiptMail): MailContent {
  const { payment } = mail;
  const values = valuesOf(mail);
  const { words, merchant, money, isolated, leftToRight, row, amountRow } = values;
  return renderCustomerMail(mail, values, {
    subject: 'receipt.subject',
    heading: 'receipt.heading',
    paragraphs: [words.text('receipt.lead', { amount: money(payment.amount), merchant })],
    tables: [
      [
        ...itemRows(payment.lineItems ?? [], values),
        { ...amountRow(words.text('detail.total'), payment.amount), isTotal: true },
      ],
      [
        row('detail.for', payment.description && isolated(payment.description)),
        values.methodRow(),
        row('detail.reference', leftToRight(payment.reference)),
        row('detail.paidOn', payment.completedAt && values.moment(payment.completedAt)),
      ],
    ],
    button: 'receipt.open',
    smallPrint: payment.statementName && words.text('receipt.statement', { name: isolated(payment.statementName) }),
  });
}

function itemRows(items: readonly MailedItem[], values: MailValues): Row[] {
  let bytes = 0;
  const shown = items.slice(0, maxItems).filter(({ name }) => {
    bytes += Buffer.byteLength(String(html`${shortened(name)}`));
    return bytes <= maxNamesBytes;
  });
  const others = items.slice(shown.length);
  const rows = shown.map((item) => values.amountRow(itemLabel(item, values), totalOf(item)));
  if (others.length === 0) return rows;
  const sum = others.reduce((total, item) => total + totalOf(item), 0);
  return [...rows, values.amountRow(values.words.text('items.more', { count: others.length }), sum)];
}

function itemLabel({ name, quantity, unitAmount }: MailedItem, values: MailValues): string {
  const shown = values.isolated(shortened(name));
  if (quantity === 1) return shown;
  const calculation = [values.count(quantity), '×', values.money(unitAmount)].join(noBreakSpace);
  return values.inDirection(`${shown} (${calculation})`);
}

const noBreakSpace = '\u00a0';

function shortened(name: string): string {
  const characters = [...name];
  return characters.length > maxNameLength ? `${characters.slice(0, maxNameLength - 1).join('')}…` : name;
}

function totalOf({ quantity, unitAmount }: MailedItem): number {
  return quantity * unitAmount;
}
