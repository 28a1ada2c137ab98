/** The merchants of the demo send the mails of test mode to its mailbox. The other server has a mail server. */
import { type WriteContext, withFreshEntityManager } from '@tillhook/server/src/context.ts';
import { submitAttempt } from '@tillhook/server/src/money/payments/attempts.service.ts';
import { resolvePayment } from '@tillhook/server/src/money/payments/reviews.service.ts';
import { settlePayment } from '@tillhook/server/src/money/payments/settle-payment.service.ts';
import { getMerchant, suspendMerchant } from '@tillhook/server/src/people/merchants/merchants.service.ts';
import { inTransaction } from '@tillhook/server/src/platform/database/transaction.ts';
import { Mail } from '@tillhook/server/src/platform/mail/mail.entity.ts';
import { contentOf } from '@tillhook/server/src/platform/mail/mails.service.ts';
import type { Verdict } from '@tillhook/server/src/processors/port.ts';
import { mailRenderers } from '@tillhook/server/src/start/mail-kinds.ts';
import test from 'ava';
import { simpleParser } from 'mailparser';
import { eventually } from '../support/eventually.ts';
import { startMailServer } from '../support/mail/mail-server.ts';
import { filledForm, payByForm } from '../support/money/hosted-page.ts';
import { makeRefundsDue, payWith, waitForRefund } from '../support/money/refunds.ts';
import { type OwnServer, ownServerForFile, type TestMerchant } from '../support/server/tillhook.ts';

const mailServer = await startMailServer();
const demo = ownServerForFile({ SEED_DEMO: 'true', DATABASE_POOL_SIZE: '10' });
const service = ownServerForFile({ MAIL_URL: mailServer.url, MAIL_FROM: 'Example Pay <pay@example.com>' });
test.after.always(() => mailServer[Symbol.asyncDispose]());

const parsed = (source: string) => simpleParser(source);
const card = '4242424242424242';
const paid: Verdict = { result: 'paid', amount: 500n, currency: 'NGN' };

async function merchantOn(server: OwnServer, settings = { send_receipts: true, reply_to: null as string | null }) {
  const merchant = await server.createMerchant('Ada’s Books');
  const { send_receipts, reply_to } = settings;
  await server.database.query('update merchant set send_receipts = $2, reply_to = $3 where id = $1', [
    merchant.id,
    send_receipts,
    reply_to,
  ]);
  return merchant;
}

async function mailsTo({ database, context }: OwnServer, { id }: TestMerchant) {
  const rows = await database.query<{ id: string }>('select id from mail where merchant_id = $1 order by id', [id]);
  const { em } = withFreshEntityManager(context);
  const mails = await em.find(Mail, { id: { $in: rows.map((row) => row.id) } }, { orderBy: { id: 'asc' } });
  return Promise.all(
    mails.map(async (mail) => ({
      kind: mail.kind,
      recipient: mail.recipient,
      ...(await contentOf(context, mailRenderers, mail)),
    })),
  );
}

const kindsTo = async (server: OwnServer, merchant: TestMerchant) =>
  (await mailsTo(server, merchant)).map(({ kind }) => kind);

const newCheckout = async ({ client }: TestMerchant, details = {}) =>
  (await client.checkout.create({ email: 'ada@example.com', amount: 500, ...details })).data;

async function submitted({ context }: OwnServer, accessCode: string): Promise<string> {
  const { attempt } = await inTransaction(withFreshEntityManager(context), (tx) =>
    submitAttempt(tx, accessCode, { card: { brand: 'visa', last4: '4242' } }),
  );
  return attempt?.id ?? '';
}

const settle = ({ context }: OwnServer, attemptId: string, afterwards?: (tx: WriteContext) => never) =>
  inTransaction(withFreshEntityManager(context), async (tx) => {
    await settlePayment(tx, attemptId, paid);
    afterwards?.(tx);
  });

test('a customer who has paid gets one receipt, and has heard nothing before', async (t) => {
  const merchant = await merchantOn(demo());
  const checkout = await newCheckout(merchant, { reference: 'order-1' });
  t.deepEqual(await kindsTo(demo(), merchant), []);

  await payByForm(checkout.checkoutUrl, card);

  const [mail, ...others] = await mailsTo(demo(), merchant);
  t.deepEqual(others, []);
  t.like(mail, { kind: 'receipt', recipient: 'ada@example.com', subject: 'Your receipt from Ada’s Books' });
  t.regex(mail?.text ?? '', /order-1/);
  t.true(mail?.text?.includes(checkout.checkoutUrl));
});

test('the mailbox of the demo shows the merchant as the sender, and the address for replies', async (t) => {
  const merchant = await merchantOn(demo(), { send_receipts: true, reply_to: 'help@books.example' });
  const { reference } = await newCheckout(merchant);
  await merchant.client.testHelpers.completePayment(reference);
  const [mail] = await demo().database.query('select id from mail where merchant_id = $1', [merchant.id]);

  const page = await (await fetch(`${demo().url}/mails/${mail?.id}`, { headers: { accept: 'text/html' } })).text();

  t.regex(page, /Ada’s Books &lt;tillhook@localhost&gt;/);
  t.regex(page, /Reply-To<\/dt><dd><bdi>help@books\.example/);
});

for (const [situation, settings, details] of [
  ['the merchant has not switched receipts on', { send_receipts: false, reply_to: null }, {}],
  ['the checkout was created with `receipt: false`', { send_receipts: true, reply_to: null }, { receipt: false }],
] as const) {
  test(`no mail about the payment or its refunds is written when ${situation}`, async (t) => {
    const merchant = await merchantOn(demo(), settings);
    await newCheckout(merchant, { reference: 'order-1', ...details });

    await merchant.client.testHelpers.completePayment('order-1');
    await merchant.client.refunds.create('order-1', { reference: 'refund-1' });
    await waitForRefund('completed', merchant, 'refund-1');

    t.deepEqual(await kindsTo(demo(), merchant), []);
  });
}

test('a payment that fails, expires or is cancelled has no receipt', async (t) => {
  const merchant = await merchantOn(demo());
  await newCheckout(merchant, { reference: 'order-1' });
  await merchant.client.testHelpers.failPayment('order-1');
  await newCheckout(merchant, { reference: 'order-2' });
  await merchant.client.payments.cancel('order-2');
  const { checkoutUrl } = await newCheckout(merchant, { reference: 'order-3' });
  await payByForm(checkoutUrl, '4000000000000002');

  t.deepEqual(await kindsTo(demo(), merchant), []);
});

test('a transaction that is rolled back writes no receipt', async (t) => {
  const merchant = await merchantOn(demo());
  const { accessCode } = await newCheckout(merchant);
  const attemptId = await submitted(demo(), accessCode);
  const fail = () => {
    throw new Error('rolled back');
  };

  await t.throwsAsync(settle(demo(), attemptId, fail), { message: 'rolled back' });
  t.deepEqual(await kindsTo(demo(), merchant), []);

  await settle(demo(), attemptId);
  t.deepEqual(await kindsTo(demo(), merchant), ['receipt']);
});

test('a payment that is completed ten times at once has one receipt', async (t) => {
  const merchant = await merchantOn(demo());
  const { accessCode } = await newCheckout(merchant);
  const attemptId = await submitted(demo(), accessCode);

  await Promise.all(Array.from({ length: 10 }, () => settle(demo(), attemptId)));

  t.deepEqual(await kindsTo(demo(), merchant), ['receipt']);
});

test('a payment that an operator completes after a review has a receipt', async (t) => {
  const merchant = await merchantOn(demo());
  const { id } = await demo().arrange('createPaymentUnderReview', { merchantId: merchant.id });
  t.deepEqual(await kindsTo(demo(), merchant), []);

  await inTransaction(withFreshEntityManager(demo().context), (tx) => resolvePayment(tx, { id }, 'completed'));

  t.deepEqual(await kindsTo(demo(), merchant), ['receipt']);
});

test('a payment of a suspended merchant that the customer has paid has a receipt', async (t) => {
  const merchant = await merchantOn(demo());
  const { checkoutUrl } = await newCheckout(merchant);
  await inTransaction(withFreshEntityManager(demo().context), async (tx) =>
    suspendMerchant(tx, await getMerchant(tx, merchant.id)),
  );

  await payByForm(checkoutUrl, card);

  t.deepEqual(await kindsTo(demo(), merchant), ['receipt']);
});

for (const [situation, locale, browser, subject] of [
  ['the payment has no locale and the browser prefers German', undefined, 'de-AT,de;q=0.9', /^Ihr Beleg/],
  ['the payment’s locale is French and the browser prefers German', 'fr-FR', 'de', /^Votre reçu/],
  ['the payment’s locale has no translation and the browser prefers German', 'sw-KE', 'de', /^Ihr Beleg/],
  ['nobody knows the language', undefined, '', /^Your receipt/],
] as const) {
  test(`a receipt has the language of the page on which the customer paid: ${situation}`, async (t) => {
    const merchant = await merchantOn(demo());
    const { checkoutUrl } = await newCheckout(merchant, locale && { locale });

    const form = await filledForm(checkoutUrl, card);
    await fetch(checkoutUrl, { method: 'POST', body: form, headers: { 'accept-language': browser } });

    const [mail] = await mailsTo(demo(), merchant);
    t.regex(mail?.subject ?? '', subject);
  });
}

test('a refund that is completed at once makes one mail', async (t) => {
  const merchant = await merchantOn(demo());
  const reference = await payWith(merchant, { card });

  await merchant.client.refunds.create(reference, { reference: 'refund-1' });
  await waitForRefund('completed', merchant, 'refund-1');

  const mails = await mailsTo(demo(), merchant);
  t.deepEqual(
    mails.map(({ kind }) => kind),
    ['receipt', 'refund_arrived'],
  );
  t.like(mails[1], { recipient: 'ada@example.com', subject: 'Your refund from Ada’s Books is complete' });
});

for (const [title, lateCard, status, last] of [
  ['is completed later', '4000000000007726', 'completed', 'refund_arrived'],
  ['fails later', '4000000000005126', 'failed', 'refund_failed'],
] as const) {
  test(`a refund that ${title} makes a mail when it begins and a mail when it ends`, async (t) => {
    const merchant = await merchantOn(demo());
    const reference = await payWith(merchant, { card: lateCard });

    await merchant.client.refunds.create(reference, { reference: 'refund-1' });
    await waitForRefund('processing', merchant, 'refund-1');
    t.deepEqual(await kindsTo(demo(), merchant), ['receipt', 'refund_begun']);
    await makeRefundsDue(demo(), merchant);
    await waitForRefund(status, merchant, 'refund-1');

    t.deepEqual(await kindsTo(demo(), merchant), ['receipt', 'refund_begun', last]);
  });
}

test('the mail that a refund has begun is dropped when the refund has ended before it is sent', async (t) => {
  const merchant = await merchantOn(demo());
  const reference = await payWith(merchant, { card: '4000000000007726' });
  await merchant.client.refunds.create(reference, { reference: 'refund-1' });
  await waitForRefund('processing', merchant, 'refund-1');
  const begun = async () => {
    const { em } = withFreshEntityManager(demo().context);
    const mail = await em.findOne(Mail, { merchantId: merchant.id, kind: 'refund_begun' });
    if (!mail) throw new Error('There is no such mail.');
    return mail;
  };
  await eventually(async () => (await begun()).status, 'sent');
  await makeRefundsDue(demo(), merchant);
  await waitForRefund('completed', merchant, 'refund-1');

  t.truthy(await contentOf(demo().context, mailRenderers, await begun()));
  await demo().database.query(
    `update mail set status = 'pending', ended_at = null, next_check_at = now() where merchant_id = $1 and kind = 'refund_begun'`,
    [merchant.id],
  );
  demo().context.mails.ring();

  await eventually(async () => (await begun()).status, 'dropped');
});

/** Test mode has no mail server, so the payment is moved to live mode, where no processor has to be called. */
async function paidLive(merchant: TestMerchant, change = '', values: unknown[] = []) {
  const { accessCode, reference } = await newCheckout(merchant);
  const attemptId = await submitted(service(), accessCode);
  await service().database.query(`update payment set mode = 'live'${change} where reference = $1`, [
    reference,
    ...values,
  ]);
  await settle(service(), attemptId);
  const [{ message_id: messageId } = {}] = await service().database.query<{ message_id: string }>(
    'select message_id from mail where merchant_id = $1',
    [merchant.id],
  );
  const isOwn = ({ source }: { source: string }) => source.includes(messageId ?? '?');
  await eventually(() => mailServer.received.filter(isOwn).length, 1);
  return mailServer.received.find(isOwn)?.source ?? '';
}

test('a receipt has the merchant’s name with the address of the service as its sender, and replies go to the merchant', async (t) => {
  const merchant = await merchantOn(service(), { send_receipts: true, reply_to: 'help@books.example' });

  const mail = await parsed(await paidLive(merchant));

  t.deepEqual(mail.from?.value, [{ name: 'Ada’s Books', address: 'pay@example.com' }]);
  t.is(mail.replyTo?.text, 'help@books.example');
  t.is([mail.to].flat()[0]?.text, 'ada@example.com');
  t.regex(mail.text ?? '', /You paid ₦5\.00 to Ada’s Books\./);
});

test('a receipt of a merchant without an address for replies has no Reply-To', async (t) => {
  t.is((await parsed(await paidLive(await merchantOn(service())))).replyTo, undefined);
});

test('no mail about a payment of test mode leaves a service with a mail server', async (t) => {
  const merchant = await merchantOn(service());
  const reference = await payWith(merchant, { card: '4000000000007726' });
  await merchant.client.refunds.create(reference, { reference: 'refund-1' });
  await waitForRefund('processing', merchant, 'refund-1');
  await makeRefundsDue(service(), merchant);
  await waitForRefund('completed', merchant, 'refund-1');

  t.deepEqual(await kindsTo(service(), merchant), []);
});

const badText = 'Tea<script>alert(1)</script>\r\nBcc: eve@example.com\u202egnp.exe';

test('line breaks, markup and characters that turn the direction of text change neither headers nor content of a mail', async (t) => {
  const merchant = await merchantOn(service(), { send_receipts: true, reply_to: 'help@books.example' });
  await service().database.query('update merchant set name = $2 where id = $1', [merchant.id, badText]);
  const lineItems = JSON.stringify([{ name: badText, quantity: 1, unitAmount: 500 }]);

  const source = await paidLive(merchant, ', description = $2, line_items = $3', [badText, lineItems]);

  const { headers, html, text, subject, from, bcc } = await parsed(source);
  t.is(bcc, undefined);
  t.deepEqual([...headers.keys()].sort(), [
    ...['auto-submitted', 'content-type', 'date', 'from', 'message-id', 'mime-version', 'reply-to', 'subject', 'to'],
  ]);
  const shown = 'Tea<script>alert(1)</script> Bcc: eve@example.comgnp.exe';
  t.is(subject, `Your receipt from ${shown}`);
  t.is(from?.value[0]?.name, shown);
  t.true(text?.includes(`\n${shown}: ₦5.00\n`));
  t.notRegex(String(html), /<script|\u202e/);
  t.true(String(html).includes('Tea&lt;script&gt;'));
});

test('a customer’s address of 254 characters is mailed, and a longer address is refused before there is a payment', async (t) => {
  const merchant = await merchantOn(demo());
  const domain = `${'d'.repeat(60)}.${'d'.repeat(60)}.${'d'.repeat(59)}`;
  const longest = `${'a'.repeat(64)}@${domain}.example`.padEnd(254, 'x');
  t.is(longest.length, 254);

  await newCheckout(merchant, { email: longest, reference: 'order-1' });
  await merchant.client.testHelpers.completePayment('order-1');
  await t.throwsAsync(newCheckout(merchant, { email: longest.padEnd(300, 'x') }), { message: /email/ });

  t.deepEqual(
    (await mailsTo(demo(), merchant)).map(({ recipient }) => recipient),
    [longest],
  );
});
