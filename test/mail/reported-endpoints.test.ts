/** Which endpoints are reported as failing, switched off or well, and when. */
import type { Receiver } from '@tillhook/mock/receiver';
import { newId } from '@tillhook/server/src/kit/ids.ts';
import { inOwnStatement } from '@tillhook/server/src/platform/database/statement.ts';
import { record } from '@tillhook/server/src/webhooks/queue/record.ts';
import test, { type ExecutionContext } from 'ava';
import { eventually } from '../support/eventually.ts';
import { insertDeliveries, payOnce, unreachableUrl } from '../support/receivers/deliveries.ts';
import { startReceiver } from '../support/receivers/receiver.ts';
import type { TestMerchant } from '../support/server/tillhook.ts';
import { mailTo, merchantWithUser, runJobs, server, subjectsTo } from '../support/users/user-mails.ts';

test.serial('an endpoint that has failed for an hour is reported once', async (t) => {
  const { merchant, email } = await merchantWithUser();
  const receiver = await receiverFor(t);
  receiver.setAnswer(() => ({ status: 500 }));
  const { id } = await merchant.client.webhookEndpoints.register({ url: `${receiver.url}?key=s3cr3t` });
  await payOnce(merchant.client);
  await eventually(async () => (await endpointOf(id)).failingSince !== null, true);
  await runJobs();
  t.deepEqual(subjectsTo(email), []);
  await ageFailure(id, '61 minutes');

  await runJobs();
  await runJobs();

  t.deepEqual(subjectsTo(email), [`Webhooks to ${new URL(receiver.url).host} fail (test mode)`]);
  const { text, html } = await mailTo(email);
  t.true(text.includes(receiver.url));
  t.false(`${text}${html}`.includes('s3cr3t'));
  t.true(text.includes(`${server().url}/dashboard/test/webhooks/${id}`));
});

test.serial('ten thousand failed deliveries to several endpoints are one mail', async (t) => {
  const { merchant, email } = await merchantWithUser();
  const [one, other] = [await register(merchant, '/one'), await register(merchant, '/other')];
  for (const webhookId of [one, other]) {
    const ids = await insertDeliveries(server(), merchant, { webhookId, count: 5000, status: 'pending' });
    await failOnce(ids, webhookId);
    await ageFailure(webhookId, '2 hours');
  }

  await runJobs();
  await runJobs();

  t.deepEqual(subjectsTo(email), ['Webhooks to 2 endpoints fail (test mode)']);
  const { text } = await mailTo(email);
  t.true(text.includes('/one'));
  t.true(text.includes('/other'));
});

test.serial(
  'an endpoint that fails again on the same day is not reported again, and on the next day it is',
  async (t) => {
    const { merchant, email } = await merchantWithUser();
    const id = await register(merchant);
    await ageFailure(id, '61 minutes');
    await runJobs();
    await ageReport(id, '2 hours');
    await noteSuccess(id);
    await ageFailure(id, '61 minutes');
    await runJobs();
    t.is(subjectsTo(email).length, 1);

    await ageReport(id, '23 hours');
    await runJobs();

    t.is(subjectsTo(email).length, 2);
  },
);

test.serial('an endpoint that answers 410 is reported as switched off, with the reason', async (t) => {
  const { merchant, email } = await merchantWithUser();
  const receiver = await receiverFor(t);
  receiver.setAnswer(() => ({ status: 410 }));
  const { id } = await merchant.client.webhookEndpoints.register({ url: receiver.url });
  await payOnce(merchant.client);
  await eventually(async () => (await endpointOf(id)).isActive, false);

  await runJobs();
  await runJobs();

  t.deepEqual(subjectsTo(email), [`Webhooks to ${new URL(receiver.url).host} are switched off (test mode)`]);
  t.true((await mailTo(email)).text.includes('The endpoint answered 410 Gone'));
});

test.serial('an endpoint is reported as well when it has failed at no run for ten minutes', async (t) => {
  const { merchant, email } = await merchantWithUser();
  const id = await register(merchant);
  await ageFailure(id, '61 minutes');
  await runJobs();

  await ageReport(id, '2 hours');
  await noteSuccess(id);
  await runJobs();
  await ageWell(id);
  await ageFailure(id, '1 minute');
  await runJobs();
  t.is(subjectsTo(email).length, 1, 'it failed again within the ten minutes');
  await noteSuccess(id);
  await runJobs();
  await ageWell(id);
  await runJobs();
  await runJobs();

  t.deepEqual(subjectsTo(email).slice(1), ['Webhooks to 127.0.0.1:9 arrive again (test mode)']);
});

test.serial('what was reported of an endpoint is deleted when the endpoint is removed', async (t) => {
  const { merchant } = await merchantWithUser();
  const [kept, removed] = [await register(merchant), await register(merchant)];
  for (const id of [kept, removed]) await ageFailure(id, '61 minutes');
  await runJobs();

  await merchant.client.webhookEndpoints.remove(removed);
  await runJobs();

  const reports = 'select endpoint_id from endpoint_report where endpoint_id = any($1)';
  t.deepEqual(await server().database.query(reports, [[kept, removed]]), [{ endpoint_id: kept }]);
});

test.serial('an endpoint that was never reported is not reported as well', async (t) => {
  const { merchant, email } = await merchantWithUser();
  const id = await register(merchant);
  await ageFailure(id, '30 minutes');
  await runJobs();
  await noteSuccess(id);
  await runJobs();
  await runJobs();
  t.deepEqual(subjectsTo(email), []);
});

test.serial('a failed test event, a paused endpoint and a removed endpoint are not reported as failing', async (t) => {
  const { merchant, email } = await merchantWithUser();
  const { client } = merchant;
  const [tested, paused, removed] = [await register(merchant), await register(merchant), await register(merchant)];
  await client.webhookEndpoints.sendTest(tested);
  t.is((await endpointOf(tested)).failingSince, null);
  await ageFailure(paused, '61 minutes');
  await ageFailure(removed, '61 minutes');
  await client.webhookEndpoints.update(paused, { isActive: false });
  await client.webhookEndpoints.remove(removed);

  await runJobs();

  t.deepEqual(subjectsTo(email), []);
});

async function register({ client }: TestMerchant, path = '/webhooks'): Promise<string> {
  const { id } = await client.webhookEndpoints.register({ url: new URL(path, unreachableUrl).href });
  return id;
}

async function receiverFor(t: ExecutionContext): Promise<Receiver> {
  const receiver = await startReceiver();
  t.teardown(() => receiver.stop());
  return receiver;
}

async function endpointOf(id: string) {
  const [endpoint] = await server().database.query<{ failingSince: Date | null; isActive: boolean }>(
    'select failing_since as "failingSince", is_active as "isActive" from webhook_endpoint where id = $1',
    [id],
  );
  if (!endpoint) throw new Error(`There is no endpoint ${id}.`);
  return endpoint;
}

/** Records a failed attempt of each delivery, in one batch of results. */
async function failOnce(ids: readonly string[], endpointId: string): Promise<void> {
  const { database } = server();
  const lease = newId();
  await database.query('update pending_delivery set lease = $1 where endpoint_id = $2', [lease, endpointId]);
  const outcome = {
    statusCode: 500,
    durationMs: 5,
    error: null,
    errorCause: null,
    responseHeaders: null,
    responseBody: null,
    responseTruncated: false,
    retryAfter: null,
    endedAt: new Date(),
  };
  const results = ids.map((id) => ({
    delivery: { id, lease, eventName: 'checkout.success', target: { url: unreachableUrl } },
    attempt: 1,
    startedAt: new Date(),
    outcome,
    next: { step: 'retry', delayMs: 3_600_000 },
  }));
  await inOwnStatement(server().context, (context) => record(context, results as never));
}

const ageFailure = (id: string, age: string) =>
  server().database.query(
    `update webhook_endpoint set failing_since = now() - $2::interval,
       last_delivered_at = least(last_delivered_at, now() - $2::interval - interval '1 second') where id = $1`,
    [id, age],
  );

const ageReport = (id: string, age: string) =>
  server().database.query('update endpoint_report set failing_at = failing_at - $2::interval where endpoint_id = $1', [
    id,
    age,
  ]);

const ageWell = (id: string) =>
  server().database.query(
    `update endpoint_report set well_since = well_since - interval '11 minutes' where endpoint_id = $1`,
    [id],
  );

const noteSuccess = (id: string) =>
  server().database.query('update webhook_endpoint set failing_since = null, last_delivered_at = now() where id = $1', [
    id,
  ]);
