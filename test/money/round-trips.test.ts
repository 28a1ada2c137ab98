/** The page of the benchmarks shows the numbers of statements that these tests expect. */
import test, { type ExecutionContext } from 'ava';
import { startStatementList } from '../support/database/statement-list.ts';
import { eventually } from '../support/eventually.ts';
import { payByForm } from '../support/money/hosted-page.ts';
import { startCheckout } from '../support/money/payments.ts';
import { startReceiver } from '../support/receivers/receiver.ts';
import { serverForFile } from '../support/server/tillhook.ts';
import { findPostgres } from '../support/shared-fixtures.ts';

const list = await startStatementList(await findPostgres());
/** The demo writes mails. A payment without a receipt must have no statement about them. */
const server = serverForFile({ ROLE: 'api', DELIVERY_DIRECT: 'on', RATE_LIMITS: 'on', SEED_DEMO: 'true' }, list.reach);

const kinds: [RegExp, string][] = [
  [/^select .* from api_key/i, 'the key'],
  [/^insert into "rate_limit"/i, 'the limit'],
  [/^with usable as/, 'the insert with everything'],
  [/^begin/i, 'begin'],
  [/^commit/i, 'commit'],
  [/^select is_ours, .* claim_idempotency_key/, 'the Idempotency-Key'],
  [/^insert into idempotency_key/, 'its answer'],
  [/^select .* from payment(_attempt join payment on .*)? where .* for update/, 'lock and read'],
  [/^select .* from "payment_attempt"/, 'the attempt'],
  [/^select .* from "payment"/, 'the payment'],
  [/^with changed as .* insert into mail /s, 'save, and the mail'],
  [/^with changed as/, 'save'],
  [/^with new_event as/, 'the event and its deliveries'],
  [/^with change as/, 'the posting'],
  [/^with result as/, 'the record of deliveries'],
];

const kindOf = (statement: string) => kinds.find(([pattern]) => pattern.test(statement))?.[1] ?? statement;

/** The first payment opens the merchant's accounts. */
async function paidBefore(t: ExecutionContext) {
  const receiver = await startReceiver();
  t.teardown(() => receiver.stop());
  const merchant = await server().createMerchant();
  await merchant.client.webhookEndpoints.register({ url: receiver.url });
  await startCheckout(merchant, 'order-1');
  await merchant.client.testHelpers.completePayment('order-1');
  const isRecorded = async () => (await merchant.client.deliveries.list({ status: 'delivered' })).total;
  await eventually(isRecorded, 1);
  return { ...merchant, receiver };
}

test.serial('creating a checkout takes one SQL statement, and one more for the rate limit', async (t) => {
  const merchant = await paidBefore(t);

  const sent = await list.during(() => startCheckout(merchant, 'order-2'));

  t.deepEqual(
    sent.map(kindOf).filter((kind) => kind !== 'the limit'),
    ['the insert with everything'],
  );
});

test.serial(
  'completing a test payment takes nine SQL statements, and no statement is sent between the commit and the delivery',
  async (t) => {
    const merchant = await paidBefore(t);
    await startCheckout(merchant, 'order-2');

    const sent = await list.during(async () => {
      await merchant.client.testHelpers.completePayment('order-2');
      await eventually(() => merchant.receiver.deliveries.length, 2);
    });

    const isOfCall = (kind: string) => !['the limit', 'the record of deliveries'].includes(kind);
    t.deepEqual(sent.map(kindOf).filter(isOfCall), [
      'the key',
      'begin',
      'the Idempotency-Key',
      'lock and read',
      'save',
      'the event and its deliveries',
      'the posting',
      'its answer',
      'commit',
    ]);
  },
);

test.serial('a receipt takes no further SQL statement', async (t) => {
  const merchant = await paidBefore(t);
  await server().database.query('update merchant set send_receipts = true where id = $1', [merchant.id]);
  await startCheckout(merchant, 'order-2');

  const sent = await list.during(() => merchant.client.testHelpers.completePayment('order-2'));

  const all = sent.map(kindOf);
  t.deepEqual(all.slice(all.indexOf('lock and read'), all.lastIndexOf('commit') + 1), [
    'lock and read',
    'save, and the mail',
    'the event and its deliveries',
    'the posting',
    'its answer',
    'commit',
  ]);
});

test.serial('paying with a card on the hosted page takes two transactions and two reads between them', async (t) => {
  const merchant = await paidBefore(t);
  const { checkoutUrl } = await startCheckout(merchant, 'order-2');

  const sent = await list.during(() => payByForm(checkoutUrl, '4242424242424242'));

  const all = sent.map(kindOf);
  t.deepEqual(all.slice(all.indexOf('begin'), all.lastIndexOf('commit') + 1), [
    'begin',
    'lock and read',
    'save',
    'commit',
    'the attempt',
    'the payment',
    'begin',
    'lock and read',
    'save',
    'the event and its deliveries',
    'the posting',
    'commit',
  ]);
});
