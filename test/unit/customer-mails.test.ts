import { type ReceiptMail, receiptMail } from '@tillhook/server/src/money/mails/receipt-mail.ts';
import {
  type RefundMail,
  refundArrivedMail,
  refundBegunMail,
  refundFailedMail,
} from '@tillhook/server/src/money/mails/refund-mails.ts';
import { catalogues } from '@tillhook/server/src/money/mails/words/words.ts';
import { messageOf } from '@tillhook/server/src/platform/mail/smtp.ts';
import test from 'ava';
import MailComposer from 'nodemailer/lib/mail-composer';

const maxBytes = 60_000;

const merchant: ReceiptMail['merchant'] = {
  name: 'Nour',
  logoHash: 'ab12',
  colour: '#7a1fa2',
  supportUrl: 'https://nour.example/help',
  supportEmail: 'help@nour.example',
  replyTo: null,
};

const payment: ReceiptMail['payment'] = {
  accessCode: '01a1a509-18c9-7000-9451-6fe842322ca5',
  reference: 'order-1042',
  mode: 'live',
  amount: 3650n,
  currency: 'USD',
  customerEmail: 'ada@example.com',
  locale: 'en-US',
  paymentMethod: { type: 'card', brand: 'visa', last4: '4242' },
  completedAt: new Date('2026-11-28T19:30:00Z'),
  description: 'Two coffees',
  statementName: 'NOUR TRADING',
  lineItems: [
    { name: 'Coffee', quantity: 2, unitAmount: 1500 },
    { name: 'Postage', quantity: 1, unitAmount: 650 },
  ],
};

const refund: RefundMail['refund'] = {
  reference: 'refund-7',
  amount: 1500n,
  createdAt: new Date('2026-11-29T08:00:00Z'),
  updatedAt: new Date('2026-12-02T08:00:00Z'),
  completedAt: null,
};

const publicUrl = 'https://pay.example/till';

const receiptWith = (changes: Partial<ReceiptMail['payment']>) =>
  receiptMail({ payment: { ...payment, ...changes }, merchant, publicUrl });

const refundWith = (changes: Partial<RefundMail['refund']> = {}): RefundMail => ({
  payment,
  merchant,
  publicUrl,
  refund: { ...refund, ...changes },
});

const kinds = {
  receipt: receiptMail,
  refundBegun: refundBegunMail,
  refundArrived: refundArrivedMail,
  refundFailed: refundFailedMail,
};

const isolates = /[\u2066-\u2069]/;

/** A message without its invisible marks of direction, and with plain spaces. */
const plain = (text: string) => text.replace(/[\u200e\u200f\u2066-\u2069]/g, '').replace(/[\u00a0\u202f]/g, ' ');

test('a receipt shows the merchant, the items, the total, the card, the reference, the date and a link to the page', (t) => {
  const { subject, text, html } = receiptWith({});

  t.is(subject, 'Your receipt from Nour');
  t.is(
    plain(text),
    `Nour

Thank you for your payment

You paid $36.50 to Nour.

Coffee (2 × $15.00): $30.00
Postage: $6.50
Total: $36.50

For: Two coffees
Card: Visa ending in 4242
Reference: order-1042
Paid on: November 28, 2026 at 07:30 PM UTC

View the receipt:
https://pay.example/till/checkout/01a1a509-18c9-7000-9451-6fe842322ca5

Your statement will show NOUR TRADING.

Contact Nour: help@nour.example

You get this mail because a payment to Nour has your address, ada@example.com.
`,
  );
  t.true(html.includes('src="https://pay.example/till/checkout/assets/logo-ab12.png"'));
  t.regex(html, /background:#7a1fa2/);
});

test('what a payment does not have is left out of its receipt', (t) => {
  const { text, html } = receiptMail({
    payment: { ...payment, lineItems: null, description: null, statementName: null, paymentMethod: null },
    merchant: { name: 'Nour', logoHash: null, colour: null, supportUrl: null, supportEmail: null, replyTo: null },
    publicUrl,
  });

  t.true(text.includes('\n\nTotal: $36.50\n\nReference: order-1042\nPaid on:'));
  t.notRegex(text, /null|undefined|Card|For:|statement|Contact/);
  t.false(html.includes('<img'));
});

test('a receipt lists twenty items, and then the number and the sum of the others', (t) => {
  const lineItems = Array.from({ length: 50 }, (_, index) => ({
    name: `Item ${index + 1}`,
    quantity: 1,
    unitAmount: 100,
  }));
  const { text } = receiptWith({ amount: 5000n, lineItems });
  const { text: exactly } = receiptWith({ amount: 2000n, lineItems: lineItems.slice(0, 20) });

  t.true(text.includes('\nItem 20: $1.00\nand 30 more items: $30.00\nTotal: $50.00\n'));
  t.true(exactly.includes('\nItem 20: $1.00\nTotal: $20.00\n'));
});

test('a receipt shows at most a hundred characters of an item’s name', (t) => {
  const nameShown = (name: string) => {
    const { text } = receiptWith({ lineItems: [{ name, quantity: 1, unitAmount: 3650 }] });
    return /^(.*): \$36\.50$/m.exec(text)?.[1];
  };

  t.is(nameShown('茶'.repeat(100)), '茶'.repeat(100));
  t.is(nameShown('\u{1f375}'.repeat(101)), `${'\u{1f375}'.repeat(99)}…`);
});

test('the mails about a refund say how far it is', (t) => {
  const mails = [refundBegunMail(refundWith()), refundArrivedMail(refundWith({ completedAt: refund.updatedAt }))];
  const [begun, arrived] = mails.map(({ text }) => plain(text));
  const failed = plain(refundFailedMail(refundWith()).text);

  t.true(begun?.includes('Nour is refunding $15.00 to you.\n\nYour bank may need some days to show the money.\n'));
  t.true(
    begun?.includes(`
Refund: $15.00
Payment: $36.50
Card: Visa ending in 4242
Refund reference: refund-7
Payment reference: order-1042
Begun on: November 29, 2026 at 08:00 AM UTC
`),
  );
  t.true(arrived?.includes('Nour has refunded $15.00 to you.\n\nYour bank may need some days to show the money.\n'));
  t.true(arrived?.includes('\nCompleted on: December 2, 2026 at 08:00 AM UTC\n'));
  t.true(failed.includes('Nour could not refund $15.00 to you.\n\nAsk Nour how you will get the money.\n'));
  t.true(failed.includes('\nFailed on: December 2, 2026 at 08:00 AM UTC\n'));
});

test('when a completed refund fails, the mail says that the refund was complete at first', (t) => {
  const { text } = refundFailedMail(refundWith({ completedAt: new Date('2026-11-30T08:00:00Z') }));

  t.true(text.includes('\n\nThis refund was complete at first, but the money came back to Nour.\n\n'));
});

for (const [kind, mailOf] of Object.entries(kinds)) {
  test(`${kind}: the subject contains no text that a user typed except the merchant’s name`, (t) => {
    const typed = 'TYPED';
    const reference = 'TYPED-1042';
    const mail = mailOf({
      merchant,
      publicUrl,
      refund: { ...refund, reference },
      payment: {
        ...payment,
        ...{ reference, customerEmail: 'TYPED@example.com', description: typed, statementName: typed },
        lineItems: [{ name: typed, quantity: 1, unitAmount: 3650 }],
      },
    });

    t.regex(mail.subject, /Nour/);
    t.notRegex(mail.subject, /TYPED/);
    t.regex(mail.text, /TYPED/);
  });

  test(`${kind}: the mail has the language of the payment’s locale, and English if there is no such catalogue`, (t) => {
    for (const language of Object.keys(catalogues) as (keyof typeof catalogues)[]) {
      const { html, text } = mailOf({ ...refundWith(), payment: { ...payment, locale: language } });

      t.regex(html, new RegExp(`^<!doctype html><html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}"`));
      t.true(text.includes(catalogues[language][`${kind as keyof typeof kinds}.heading`]), language);
    }
    for (const locale of ['sw-KE', null]) {
      t.true(
        mailOf({ ...refundWith(), payment: { ...payment, locale } }).text.includes(
          catalogues.en[`${kind as keyof typeof kinds}.heading`],
        ),
      );
    }
  });

  test(`${kind}: a mail of test mode says that no real money was moved, also in the list of mails`, (t) => {
    const notice = 'Test mode: no real money was moved.';
    const mail = mailOf({ ...refundWith(), payment: { ...payment, mode: 'test' } });

    t.is(mail.html.split(notice).length, 3);
    t.true(mail.text.includes(`\n\n${notice}\n\n`));
    t.false(mailOf(refundWith()).html.includes(notice));
  });

  test(`${kind}: a mail in English has no isolates, which some mail programs show as boxes`, (t) => {
    const { subject, text, html } = mailOf(refundWith());

    for (const part of [subject, text, html]) t.notRegex(part, isolates);
  });

  test(`${kind}: the longest mail has less than 60 KB as it is sent`, async (t) => {
    for (const letter of ['"', "'", 'é', '茶', '\u{1f375}']) {
      for (const locale of Object.keys(catalogues)) {
        const content = mailOf(longestMail(locale, letter));
        const outgoing = { ...content, recipient: 'ada@example.com', messageId: '<1@example.com>' };
        const message = messageOf(outgoing, { name: 'Nour', address: 'pay@example.com' });
        const { length: size } = await new MailComposer(message).compile().build();

        t.true(size < maxBytes, `${locale}, ${letter}: ${size}`);
      }
    }
  });
}

test('a mail is sent in the encoding that makes it smaller: base64 only where many characters are not ASCII', async (t) => {
  const encodings = async (given: ReceiptMail) => {
    const outgoing = { ...receiptMail(given), recipient: 'ada@example.com', messageId: '<1@example.com>' };
    const message = messageOf(outgoing, { name: 'Nour', address: 'pay@example.com' });
    const source = String(await new MailComposer(message).compile().build());
    return [...source.matchAll(/^Content-Transfer-Encoding: (.*?)\r?$/gm)].map(([, encoding]) => encoding);
  };

  t.deepEqual(await encodings({ payment, merchant, publicUrl }), ['quoted-printable', 'quoted-printable']);
  t.deepEqual(await encodings(longestMail('ar', '茶')), ['base64', 'base64']);
});

test('an Arabic receipt writes digits as the checkout page does', (t) => {
  const egypt = plain(receiptWith({ locale: 'ar-EG', currency: 'EGP' }).text);
  const morocco = plain(receiptWith({ locale: 'ar-MA', currency: 'MAD' }).text);

  t.regex(egypt, /الإجمالي: ٣٦٫٥٠/);
  t.regex(egypt, /Coffee \(٢ × ١٥٫٠٠/);
  t.regex(egypt, /٢٨ نوفمبر ٢٠٢٦/);
  t.true(egypt.includes('البطاقة: Visa تنتهي بالأرقام 4242'));
  t.regex(morocco, /الإجمالي: .*36,50/);
});

test('in an Arabic mail, texts of the other direction do not reorder the words around them', (t) => {
  const { subject, text } = receiptWith({ locale: 'ar', currency: 'USD' });

  t.is(subject, 'إيصالك من \u2068Nour\u2069');
  t.true(text.includes('\u2066order-1042\u2069'));
  t.true(text.includes('\u200f\u2068Coffee\u2069 ('));
  t.true(text.includes('\u200fVisa تنتهي'));
  t.regex(text, /\u2066[^\u2069]*US\$[^\u2069]*\u2069/);
});

test('an Arabic name is isolated in an English mail, and cannot end its isolate', (t) => {
  const { subject } = receiptMail({ payment, merchant: { ...merchant, name: 'نور\u2069\u2067' }, publicUrl });

  t.is(subject, 'Your receipt from \u2068نور\u2069');
});

/** Each text has the maximum length of the contract, and each character needs as many bytes as possible. */
function longestMail(locale: string, letter: string): ReceiptMail & RefundMail {
  const lineItems = Array.from({ length: 50 }, () => ({
    ...{ name: letter.repeat(200), quantity: 9999, unitAmount: 999_999_999_999 },
  }));
  return {
    merchant: {
      name: letter.repeat(120),
      logoHash: 'f'.repeat(64),
      colour: '#7a1fa2',
      supportUrl: `https://nour.example/${'%F0'.repeat(670)}`,
      supportEmail: null,
      replyTo: null,
    },
    payment: {
      ...payment,
      ...{ locale, currency: 'KWD', mode: 'test', amount: 999_999_999_999n, reference: 'r'.repeat(64) },
      customerEmail: `${'a'.repeat(64)}@${'b'.repeat(185)}.com`,
      description: letter.repeat(200),
      statementName: 'S'.repeat(22),
      lineItems,
    },
    refund: { ...refund, reference: 'r'.repeat(64), amount: 999_999_999_999n, completedAt: refund.updatedAt },
    publicUrl,
  };
}
