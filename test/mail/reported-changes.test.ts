/** Which changes of keys, payments, transfers and the processor are reported, and what the mails about them say. */
import { type Context, withFreshEntityManager } from '@tillhook/server/src/context.ts';
import { askAboutPayments } from '@tillhook/server/src/money/payments/ask-about-payments.job.ts';
import { reportDisputeDeadlines } from '@tillhook/server/src/money/processor-events/report-dispute-deadlines.job.ts';
import { reportOutages } from '@tillhook/server/src/money/processor-outages.ts';
import { settleTransfer } from '@tillhook/server/src/money/transfers/settle-transfer.service.ts';
import { hashApiKey } from '@tillhook/server/src/people/keys/api-key.ts';
import { createKeyUses, findCallingKey } from '@tillhook/server/src/people/keys/calling-key.ts';
import { writeNotifications } from '@tillhook/server/src/people/notifications/write-notifications.job.ts';
import { inTransaction } from '@tillhook/server/src/platform/database/transaction.ts';
import { Mail } from '@tillhook/server/src/platform/mail/mail.entity.ts';
import { contentOf, type MailContent } from '@tillhook/server/src/platform/mail/mails.service.ts';
import type { PayoutVerdict } from '@tillhook/server/src/processors/port.ts';
import { mailRenderers } from '@tillhook/server/src/start/mail-kinds.ts';
import test from 'ava';
import { eventually } from '../support/eventually.ts';
import { makeAttemptsDue } from '../support/money/payments.ts';
import { fundedMerchant, recipient } from '../support/money/transfers.ts';
import {
  createPaidCheckout,
  goToStripe,
  intentOf,
  liveCheckout,
  payTwice,
  server,
  stripe,
  tellOfRefund,
} from '../support/processors/live-payments.ts';
import { runTillhook } from '../support/server/command.ts';
import type { TestMerchant } from '../support/server/tillhook.ts';
import { signIn } from '../support/users/session.ts';
import { addUser } from '../support/users/users.ts';

test.beforeEach(() => server().database.query('delete from notification'));

const keys = '/api/v1/dashboard/api-keys';

test.serial('an API key that is created, rolled and revoked by a user is reported with the user', async (t) => {
  const { email, call } = await signIn(server());
  const { id } = await (await call(keys, { method: 'POST', json: { name: 'Checkout' } })).json();
  const { id: successor } = await (await call(`${keys}/${id}/roll`, { method: 'POST', json: {} })).json();
  for (const _ of [1, 2]) t.is((await call(`${keys}/${successor}`, { method: 'DELETE' })).status, 200);

  const mails = await mailsTo(email);

  t.deepEqual(
    mails.map(({ subject }) => subject),
    ['An API key was created (test mode)', 'An API key was rolled (test mode)', 'An API key was revoked (test mode)'],
  );
  for (const { text } of mails) {
    t.regex(text, /^Key: sk_test_\w{4}…\w{4}$/m);
    t.true(text.includes('Name: Checkout'));
    t.true(text.includes(`By: ${email}`));
  }
});

test.serial('a key that a command revokes is reported, and the operator is not named', async (t) => {
  const merchant = await server().createMerchant();
  const email = await addUser(server(), merchant);
  const { database } = server();
  const [key] = await database.query<{ id: string }>(
    `select id from api_key where mode = 'test' and merchant_id = $1`,
    [merchant.id],
  );
  const settings = { DATABASE_URL: database.url, MAIL_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'pay@example.com' };

  for (const _ of [1, 2]) t.is((await runTillhook(settings, 'keys', 'revoke', key?.id ?? '')).code, 0);

  const [mail, ...others] = await mailsTo(email);
  t.deepEqual(others, []);
  t.is(mail?.subject, 'An API key was revoked (test mode)');
  t.true(mail?.text.includes('By: an operator of this service'));
});

test.serial('a key that is used after its end is reported once, also when several processes notice it', async (t) => {
  const merchant = await server().createMerchant();
  const email = await addUser(server(), merchant);
  const call = () => fetch(`${server().url}/api/v1/me`, { headers: { authorization: `Bearer ${merchant.testKey}` } });
  t.is((await call()).status, 200);
  await server().database.query('update api_key set revoked_at = now() where merchant_id = $1', [merchant.id]);
  const find = () => findCallingKey(own(), hashApiKey(merchant.testKey));
  const key = (await find()) ?? t.fail();
  if (!key) return;

  t.is((await call()).status, 401);
  for (const uses of Array.from({ length: 5 }, createKeyUses)) uses.noteLate(own(), key);

  await eventually(countNotifications, 1);
  t.deepEqual(
    (await mailsTo(email)).map(({ subject }) => subject),
    ['An API key was used after its end (test mode)'],
  );
  const reported = (await find()) ?? key;
  const unableToWrite = { ...own(), em: null, log: { warn: () => t.fail('It was written again.') } } as never;
  createKeyUses().noteLate(unableToWrite, reported);
  t.true(reported.isLateUseReported);
});

test.serial('a payment that was paid twice is reported as under review, once', async (t) => {
  const checkout = await liveCheckout();
  const email = await addUser(server(), checkout.merchant, 'support');
  await payTwice(checkout);

  const [mail, ...others] = await mailsTo(email);

  t.deepEqual(others, []);
  t.is(mail?.subject, `Payment ${checkout.reference} is under review`);
  t.true(mail?.text.includes('Reason: The customer has paid twice'));
  t.true(mail?.text.includes(`/dashboard/live/payments/${checkout.reference}`));
});

test.serial(
  'a payment with a wrong amount, and a refund without money for it, are reported as under review',
  async (t) => {
    const wrong = await createPaidCheckout({ amount_total: 400_000 });
    const spent = await createPaidCheckout({});
    await server().database.query('update payment set amount_refunded = amount where reference = $1', [
      spent.reference,
    ]);
    await tellOfRefund('refund.created', stripe.refunding.make({ payment_intent: intentOf(spent), amount: 100 }));

    t.deepEqual(await detailsOf(wrong.merchant, 'reason'), ['amount_mismatch']);
    t.deepEqual(await detailsOf(spent.merchant, 'reason'), ['refund_without_funds']);
  },
);

test.serial('a dispute is reported when it opens, three days before evidence is due, and when it closes', async (t) => {
  const paid = await createPaidCheckout({});
  const email = await addUser(server(), paid.merchant);
  const dueAt = new Date(Date.now() + 10 * 86_400_000);
  const dispute = { payment_intent: intentOf(paid), evidence_details: { due_by: Math.floor(dueAt.getTime() / 1000) } };
  await tellOfRefund('charge.dispute.created', dispute);
  await tellOfRefund('charge.dispute.funds_withdrawn', dispute);
  await reportDisputeDeadlines(own());
  t.deepEqual(await detailsOf(paid.merchant, 'event'), ['opened']);

  await server().database.query(
    `update dispute_deadline set due_at = due_at - interval '8 days' where payment_id = $1`,
    [paid.id],
  );
  await reportDisputeDeadlines(own());
  await reportDisputeDeadlines(own());
  await tellOfRefund('charge.dispute.closed', { ...dispute, status: 'lost' });

  const mails = await mailsTo(email);
  t.deepEqual(
    mails.map(({ subject }) => subject),
    [
      `Payment ${paid.reference} is disputed`,
      `Evidence about payment ${paid.reference} is due soon`,
      `The dispute about payment ${paid.reference} was lost`,
    ],
  );
  t.true(mails[0]?.text.includes(`Evidence until: ${dueAt.getUTCDate()} `));
});

test.serial('a dispute whose evidence was sent, or that was closed, has no deadline', async (t) => {
  const [sent, closed] = [await createPaidCheckout({}), await createPaidCheckout({})];
  const dueBy = Math.floor(Date.now() / 1000) + 86_400;
  const about = (paid: typeof sent) => ({ payment_intent: intentOf(paid), evidence_details: { due_by: dueBy } });
  await tellOfRefund('charge.dispute.created', about(sent));
  await tellOfRefund('charge.dispute.updated', { ...about(sent), status: 'under_review' });
  await tellOfRefund('charge.dispute.created', about(closed));
  await tellOfRefund('charge.dispute.closed', { ...about(closed), status: 'won' });
  await tellOfRefund('charge.dispute.updated', { ...about(closed), status: 'needs_response' });

  await reportDisputeDeadlines(own());

  t.deepEqual(await detailsOf(sent.merchant, 'event'), ['opened']);
  t.deepEqual(await detailsOf(closed.merchant, 'event'), ['opened', 'won']);
});

test.serial('a transfer that failed and a transfer that came back are reported, each once', async (t) => {
  const merchant = await fundedMerchant(server());
  const email = await addUser(server(), merchant, 'support');
  const failed = await merchant.client.transfers.create({ reference: 'payout-1', amount: 300, recipient: recipient() });
  const reversed = await merchant.client.transfers.create({
    reference: 'payout-2',
    amount: 300,
    recipient: recipient(),
  });
  const why = { code: 'account_closed', message: 'The account is closed' };
  for (const _ of [1, 2]) {
    await settle(failed.id, { result: 'failed', ...why });
    await settle(reversed.id, { result: 'reversed', ...why });
  }

  const mails = await mailsTo(email);

  t.deepEqual(mails.map(({ subject }) => subject).toSorted(), [
    'Transfer payout-1 failed (test mode)',
    'Transfer payout-2 came back (test mode)',
  ]);
  for (const { text } of mails) t.true(text.includes('Reason: The account is closed'));
});

test.serial(
  'a processor that fails every call for five minutes is reported once, and when it answers again',
  async (t) => {
    const operator = await addUser(server(), await server().createMerchant(), 'operator');
    const checkout = await liveCheckout();
    await goToStripe(checkout);
    const context = withUnheardProcessor();
    const ask = async (failure?: 'request lost') => {
      await makeAttemptsDue(server(), checkout.merchant);
      if (failure) stripe.failNext(failure);
      await askAboutPayments(context);
    };

    await ask('request lost');
    await reportOutages(own());
    t.deepEqual(await mailsTo(operator), []);
    await server().database.query(`update processor_outage set began_at = began_at - interval '6 minutes'`);
    await ask('request lost');
    await reportOutages(own());
    await ask('request lost');
    await reportOutages(own());
    t.deepEqual(
      (await mailsTo(operator)).map(({ subject }) => subject),
      ['Stripe does not answer'],
    );

    await ask();
    await ask('request lost');

    t.deepEqual((await mailsTo(operator)).map(({ subject }) => subject).slice(1), ['Stripe answers again']);
    t.deepEqual(
      await server().database.query('select from processor_outage'),
      [],
      'it answered within the last minute',
    );
  },
);

test.serial('an outage in which no call failed for half an hour has ended', async (t) => {
  const operator = await addUser(server(), await server().createMerchant(), 'operator');
  await server().database.query(
    `insert into processor_outage (processor, began_at, failed_at, reason, reported_at)
     values ('stripe', now() - interval '2 hours', now() - interval '31 minutes', 'no answer', now() - interval '1 hour')`,
  );
  await reportOutages(own());
  t.deepEqual(
    (await mailsTo(operator)).map(({ subject }) => subject),
    ['Stripe answers again'],
  );
});

const own = () => withFreshEntityManager(server().context);

/** The service remembers when a processor answered by the object of the processor. */
function withUnheardProcessor(): Context {
  const { live, ...others } = server().context.processors;
  return { ...own(), processors: { ...others, ...(live && { live: { ...live } }) } };
}

const settle = (transferId: string, verdict: PayoutVerdict) =>
  inTransaction(own(), (tx) => settleTransfer(tx, transferId, verdict));

/** Writes the mails that wait, and returns all mails to the address, oldest first. */
async function mailsTo(email: string): Promise<MailContent[]> {
  await writeNotifications(own());
  const mails = await own().em.find(Mail, { recipient: email }, { orderBy: { id: 'asc' } });
  const contents = await Promise.all(mails.map((mail) => contentOf(own(), mailRenderers, mail)));
  return contents.filter((content) => content !== null);
}

async function detailsOf({ id }: TestMerchant, name: string): Promise<unknown[]> {
  const rows = await server().database.query('select details from notification where merchant_id = $1 order by id', [
    id,
  ]);
  return rows.map(({ details }) => (details as Record<string, unknown>)[name]);
}

const countNotifications = async () => (await server().database.query('select from notification')).length;
