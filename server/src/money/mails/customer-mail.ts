/**
 * What all mails to customers have in common: the merchant's brand, the language, the link and the small print.
 * See docs/decisions/mail.md, "Mails to customers have sentences of their own, in a module below payments".
 */
import type { Context } from '../../context.ts';
import { brandNames } from '../../kit/card.ts';
import { formatCount, formatMoment } from '../../kit/locale.ts';
import type { Mode } from '../../kit/mode.ts';
import { formatAmount } from '../../kit/money.ts';
import { operatorName, type PaymentMethod } from '../../kit/payment-method.ts';
import { logoFile, type Merchant } from '../../people/merchants/merchant.entity.ts';
import { type Block, type Row, renderMail } from '../../platform/mail/layout.ts';
import type { MailContent } from '../../platform/mail/mails.service.ts';
import { chooseWords, type WordKey, type Words } from './words/words.ts';

/** The fields of a payment that mails show. The entity is not imported, because its module stands above this module. */
export interface MailedPayment {
  accessCode: string;
  reference: string;
  mode: Mode;
  amount: bigint;
  currency: string;
  customerEmail: string;
  locale?: string | null | undefined;
  pageLocale?: string | null | undefined;
  paymentMethod?: PaymentMethod | null | undefined;
}

export interface CustomerMail {
  payment: MailedPayment;
  merchant: Pick<Merchant, 'name' | 'logoHash' | 'colour' | 'supportUrl' | 'supportEmail' | 'replyTo'>;
  publicUrl: string;
}

// See docs/decisions/mail.md, "A merchant switches on the mails to customers, and test mode sends none".
export function mailsCustomer({ config: { mail } }: Pick<Context, 'config'>, mode: Mode): boolean {
  return mail !== null && (mode === 'live' || mail.url === null);
}

interface Content {
  subject: WordKey;
  heading: WordKey;
  paragraphs: readonly string[];
  /** Each list becomes a separate table. A row without a value is left out. */
  tables: readonly (readonly (Row | null)[])[];
  button: WordKey;
  smallPrint?: string | null | undefined;
}

export function renderCustomerMail(mail: CustomerMail, values: MailValues, content: Content): MailContent {
  const { payment, merchant, publicUrl } = mail;
  const { words } = values;
  const testMode = payment.mode === 'test' ? [words.text('foot.testMode')] : [];
  const paragraphs = [...testMode, ...content.paragraphs];
  const rendered = renderMail({
    subject: words.text(content.subject, { merchant: values.merchant }),
    preheader: paragraphs.join(' '),
    language: words.locale,
    direction: words.direction,
    brand: {
      name: merchant.name,
      logoUrl: merchant.logoHash ? `${publicUrl}/checkout/assets/${logoFile(merchant.logoHash)}` : null,
      colour: merchant.colour ?? null,
    },
    blocks: [
      { kind: 'heading', text: words.text(content.heading) },
      ...paragraphs.map((text): Block => ({ kind: 'paragraph', text })),
      ...content.tables.map((rows): Block => ({ kind: 'rows', rows: rows.filter((row) => row !== null) })),
      { kind: 'button', text: words.text(content.button), url: `${publicUrl}/checkout/${payment.accessCode}` },
      ...[content.smallPrint, contact(mail, values)].flatMap((text): Block[] =>
        text ? [{ kind: 'smallPrint', text }] : [],
      ),
    ],
    footer: words.text('foot.why', { merchant: values.merchant, email: values.leftToRight(payment.customerEmail) }),
  });
  return { ...rendered, senderName: merchant.name, ...(merchant.replyTo && { replyTo: merchant.replyTo }) };
}

function contact({ merchant: { supportEmail, supportUrl } }: CustomerMail, values: MailValues): string | null {
  const address = supportEmail ?? supportUrl;
  if (!address) return null;
  return values.words.text('foot.contact', { merchant: values.merchant, address: values.leftToRight(address) });
}

/** The language of a mail, and the values of its sentences in the payment's locale. */
export interface MailValues {
  words: Words;
  merchant: string;
  money(amount: number | bigint): string;
  count(number: number): string;
  moment(at: Date): string;
  /** What the customer paid with, or null if this is not known. */
  methodRow(): Row | null;
  /** Keeps the direction of a text that a user typed from reordering the words around it. */
  isolated(text: string): string;
  leftToRight(text: string): string;
  /** Gives a text that begins with letters of another script the direction of the mail. */
  inDirection(text: string): string;
  /** A row, or null if it has no value. */
  row(label: WordKey, value: string | null | undefined): Row | null;
  amountRow(label: string, amount: number | bigint): Row;
}

const isolateByContent = '\u2068';
const isolateLeftToRight = '\u2066';
const isolateEnd = '\u2069';
const isolates = /[\u2066-\u2069]/g;
const rightToLeftMark = '\u200f';
const hasRightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\u200f]/u;

export function valuesOf({ payment, merchant }: CustomerMail): MailValues {
  const { words, locale } = chooseWords(payment.locale, payment.pageLocale ? [payment.pageLocale] : []);

  // Choice: only texts that need isolates get them, because some mail programs show an isolate as a box.
  const isolate = (text: string, start: string) => {
    const clean = text.replace(isolates, '');
    return words.direction === 'rtl' || hasRightToLeft.test(clean) ? `${start}${clean}${isolateEnd}` : clean;
  };
  const isolated = (text: string) => isolate(text, isolateByContent);
  const leftToRight = (text: string) => isolate(text, isolateLeftToRight);

  const inDirection = (text: string) => (words.direction === 'rtl' ? `${rightToLeftMark}${text}` : text);
  const money = (amount: number | bigint) => {
    const text = formatAmount(Number(amount), payment.currency, locale);
    // As on the checkout page: `US$` would become `$US` between words that are written from right to left.
    return /[A-Z]/i.test(text) ? leftToRight(text) : isolated(text);
  };

  return {
    words,
    merchant: isolated(merchant.name),
    money,
    count: (number) => formatCount(number, locale),
    // Choice: times are in UTC and say so, because nothing tells the customer's time zone to a mail.
    moment: (at) => isolated(formatMoment(at, locale)),
    methodRow: () => {
      const { paymentMethod: method } = payment;
      if (!method) return null;
      const label = words.text(method.type === 'card' ? 'detail.card' : 'detail.method');
      return { label, value: inDirection(methodText(words, method)) };
    },
    isolated,
    leftToRight,
    inDirection,
    row: (label, value) => (value ? { label: words.text(label), value } : null),
    amountRow: (label, amount) => ({ label, value: money(amount), isAmount: true }),
  };
}

function methodText(words: Words, { type, brand, last4, operator }: PaymentMethod): string {
  switch (type) {
    case 'card':
      return words.text('card.ending', { brand: brandNames[brand] ?? words.text('card.unknown'), last4 });
    case 'bank_transfer':
      return words.text('method.bankTransfer');
    case 'mobile_money':
      return words.text('card.ending', { brand: operatorName(operator) ?? words.text('method.mobileMoney'), last4 });
  }
}
