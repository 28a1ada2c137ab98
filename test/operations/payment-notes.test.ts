import { text } from 'node:stream/consumers';
import { NotFoundError, ValidationError } from '@tillhook/sdk';
import test from 'ava';
import { payByForm } from '../support/money/hosted-page.ts';
import { startCheckout } from '../support/money/payments.ts';
import { serverForFile } from '../support/server/tillhook.ts';
import { signIn } from '../support/users/session.ts';

const server = serverForFile();

const reference = 'order-1042';

test('updatePayment 200 writes a note, replaces it and removes it, and the customer sees no note', async (t) => {
  const merchant = await server().createMerchant();
  const { payments, testHelpers } = merchant.client;
  const { checkoutUrl } = await startCheckout(merchant);
  const before = await payments.get(reference);
  const pageOf = async () => (await fetch(checkoutUrl)).text();

  const noted = await payments.update(reference, { note: 'Called about مقاعد 7 and 8.\nWants an aisle.' });

  t.deepEqual(noted, { ...before, note: 'Called about مقاعد 7 and 8.\nWants an aisle.' });
  t.deepEqual(await payments.get(reference), noted);
  t.deepEqual((await payments.list()).payments, [noted]);
  t.regex(
    await text(await merchant.client.payments.list().csv()),
    /,note,paymentMethod\.operator\r\n[\s\S]*,"Called about مقاعد 7 and 8\.\nWants an aisle\.",\r\n$/,
  );
  t.notRegex(await pageOf(), /Called about/);
  await testHelpers.completePayment(reference);
  t.notRegex(await pageOf(), /Called about/);
  t.is((await payments.update(reference, { note: '=1+1' })).note, '=1+1');
  t.is((await payments.update(reference, { note: null })).note, null);
  const { events } = await merchant.client.events.list({ reference });
  t.is(events.length, 1);
  t.notRegex(JSON.stringify(events), /note|Called about/);
});

test('updatePayment 200 while the customer pays, and neither change is lost', async (t) => {
  const merchant = await server().createMerchant();
  const { checkoutUrl } = await startCheckout(merchant);

  await Promise.all([
    payByForm(checkoutUrl, '4242424242424242'),
    ...Array.from({ length: 5 }, () => merchant.client.payments.update(reference, { note: 'Called' })),
  ]);

  t.like(await merchant.client.payments.get(reference), { status: 'completed', note: 'Called' });
});

const refusedNotes: [situation: string, body: object, code: string, param: string | null][] = [
  ['the body has no field', {}, 'invalid_parameter', null],
  ['the note is empty', { note: '' }, 'invalid_parameter', 'note'],
  ['the note is too long', { note: 'x'.repeat(2_001) }, 'invalid_parameter', 'note'],
  ['the note turns the direction of text', { note: '\u202e' }, 'invalid_parameter', 'note'],
  ['the amount would change', { amount: 1 }, 'unknown_parameter', 'amount'],
];

for (const [situation, body, code, param] of refusedNotes) {
  test(`updatePayment 400 when ${situation}`, async (t) => {
    const merchant = await server().createMerchant();
    await startCheckout(merchant);

    const error = await t.throwsAsync(merchant.client.payments.update(reference, body as never), {
      instanceOf: ValidationError,
    });

    t.like(error, { code, param });
    t.is((await merchant.client.payments.get(reference)).note, null);
  });
}

test('updatePayment 404 when the payment does not exist, or belongs to another merchant or the other mode', async (t) => {
  const [owner, other] = await Promise.all([server().createMerchant(), server().createMerchant()]);
  await startCheckout(owner);

  for (const client of [other.client, owner.liveClient])
    await t.throwsAsync(client.payments.update(reference, { note: 'Called' }), { instanceOf: NotFoundError });
  await t.throwsAsync(owner.client.payments.update('order-7777', { note: 'Called' }), { instanceOf: NotFoundError });
  t.is((await owner.client.payments.get(reference)).note, null);
});

test('getPayment 200 has the address of the receipt once the payment is completed, for all roles', async (t) => {
  const merchant = await server().createMerchant();
  const { checkoutUrl } = await startCheckout(merchant);
  t.is((await merchant.client.payments.get(reference)).receiptUrl, null);

  const { receiptUrl } = await merchant.client.testHelpers.completePayment(reference);

  t.is(receiptUrl, checkoutUrl);
  t.regex(await (await fetch(checkoutUrl)).text(), /Already paid/);
  const viewer = await signIn(server(), merchant, 'viewer');
  t.is((await (await viewer.call(`/api/v1/payments/${reference}`)).json()).receiptUrl, checkoutUrl);
  t.notRegex(await text(await merchant.client.payments.list().csv()), /\/checkout\//);
});
