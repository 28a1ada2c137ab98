import type { Receiver } from '@tillhook/mock/receiver';
import { coalesce } from '@tillhook/server/src/kit/coalesce.ts';
import { askAboutPayments } from '@tillhook/server/src/money/payments/ask-about-payments.job.ts';
import { expireCheckouts } from '@tillhook/server/src/money/payments/expire-checkouts.job.ts';
import { askAboutRefunds } from '@tillhook/server/src/money/refunds/ask-about-refunds.job.ts';
import { askAboutTransfers } from '@tillhook/server/src/money/transfers/ask-about-transfers.job.ts';
import { sendMails } from '@tillhook/server/src/platform/mail/send-mails.job.ts';
import { createMailSender } from '@tillhook/server/src/platform/mail/smtp.ts';
import { createPayoutProcessors } from '@tillhook/server/src/processors/processors.ts';
import { mailRenderers } from '@tillhook/server/src/start/mail-kinds.ts';
import { type JobName, recurringWork } from '@tillhook/server/src/start/recurring-work.ts';
import { createDispatcher } from '@tillhook/server/src/webhooks/dispatch/dispatcher.ts';
import test, { type ExecutionContext } from 'ava';
import { eventually } from '../support/eventually.ts';
import { payByForm } from '../support/money/hosted-page.ts';
import { startReceiver } from '../support/receivers/receiver.ts';
import { jobScenes } from '../support/schedule/job-scenes.ts';
import { ownServerForFile, serverWithContext, usualSettings } from '../support/server/tillhook.ts';

const server = serverWithContext(usualSettings);
/** This server has no schedule, so that only the tests run jobs. */
const idle = ownServerForFile({ ROLE: 'api', MAIL_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'pay@example.com' });

function createWork(t: ExecutionContext) {
  const { context } = idle();
  const dispatcher = createDispatcher(context, { ring() {} });
  const payouts = coalesce(() => askAboutTransfers(context, createPayoutProcessors(context.config)), t.log);
  const refunds = coalesce(() => askAboutRefunds(context), t.log);
  const sender = createMailSender({ url: null, from: { name: '', address: 'tillhook@localhost' } });
  const mails = coalesce(() => sendMails(context, { sender, renderers: mailRenderers }), t.log);
  t.teardown(() => Promise.all([dispatcher.stop(1000), payouts.stop(), refunds.stop(), mails.stop()]));
  return recurringWork(context, {
    ...{ dispatcher, payouts, refunds, mails },
    withLongStatements: (work) => work(context.em.fork()),
  });
}

// The compiler reports a job that has no entry in `jobScenes`. The tests are serial, because a job works on the rows
// of all merchants.
for (const name of Object.keys(jobScenes) as JobName[]) {
  test.serial(
    `${name} has its effect once when two processes run it concurrently, and no further effect when they run it again`,
    async (t) => {
      const both = [createWork(t), createWork(t)].map((jobs) => jobs.find((job) => job.name === name));
      const runBoth = () => Promise.all(both.map((job) => job?.run()));
      const { look, done, mayGiveWay } = await jobScenes[name](idle(), t);
      t.notDeepEqual(await look(), done);

      await runBoth();
      await eventually(async () => {
        if (mayGiveWay) await runBoth();
        return look();
      }, done);
      await runBoth();

      t.deepEqual(await look(), done);
    },
  );
}

async function checkout(t: ExecutionContext) {
  const receiver: Receiver = await startReceiver();
  t.teardown(() => receiver.stop());
  const { client } = await server().createMerchant();
  await client.webhookEndpoints.register({ url: receiver.url });
  const { data } = await client.checkout.create({ email: 'ada@example.com', amount: 1 });
  return { receiver, client, ...data };
}

const makeExpired = (reference: string) =>
  server().database.query(
    `update payment set expires_at = now() - interval '1 minute', updated_at = now() - interval '1 hour' where reference = $1`,
    [reference],
  );

test('a checkout without an attempt expires, and its merchant gets one event with the reason', async (t) => {
  const { client, reference, receiver } = await checkout(t);
  await makeExpired(reference);

  await Promise.all([expireCheckouts(server().context), expireCheckouts(server().context)]);

  t.is((await client.payments.get(reference)).status, 'expired');
  const [delivery] = await receiver.waitFor(1);
  t.like(JSON.parse(String(delivery?.body)), {
    event: 'checkout.expired',
    data: { reference, amount: 1, status: 'expired', customerEmail: 'ada@example.com', reason: 'expired' },
  });
  t.is((await server().database.query('select id from event where reference = $1', [reference])).length, 1);
});

test('a checkout that expires after a decline gets the status failed, and its merchant gets one event', async (t) => {
  const { client, reference, checkoutUrl, receiver } = await checkout(t);
  await payByForm(checkoutUrl, '4000000000000002');
  await makeExpired(reference);

  await Promise.all([expireCheckouts(server().context), expireCheckouts(server().context)]);

  t.is((await client.payments.get(reference)).status, 'failed');
  const [delivery] = await receiver.waitFor(1);
  t.is(JSON.parse(String(delivery?.body)).event, 'checkout.failed');
  t.is((await server().database.query('select id from event where reference = $1', [reference])).length, 1);
});

test('an expired checkout accepts no card', async (t) => {
  const { client, reference, checkoutUrl } = await checkout(t);
  await makeExpired(reference);

  const page = await payByForm(checkoutUrl, '4242424242424242');

  t.regex(page.html, /expired/i);
  t.like(await client.payments.get(reference), { status: 'expired', attempts: 0 });
});

test('the server asks the processor about a payment attempt whose verdict was lost, and the customer may try again', async (t) => {
  const { client, reference, checkoutUrl } = await checkout(t);
  await server().database.query(
    `update payment set status = 'processing', attempts = 1, updated_at = now() - interval '2 minutes' where reference = $1`,
    [reference],
  );
  await server().database.query(
    `insert into payment_attempt (id, payment_id, number, brand, last4, started_at, next_check_at)
     select gen_random_uuid(), id, 1, 'visa', '4242', now() - interval '2 minutes', now() from payment
     where reference = $1`,
    [reference],
  );

  await askAboutPayments(server().context);

  // The schedule may be running the same job at this moment.
  await eventually(async () => (await client.payments.get(reference)).status, 'pending');
  t.like(await client.payments.get(reference), { attempts: 1, failureCode: 'processing_error' });
  await payByForm(checkoutUrl, '4242424242424242');
  t.is((await client.payments.get(reference)).status, 'completed');
});
