import { type Receiver, startReceiver } from '@tillhook/mock/receiver';
import { withFreshEntityManager } from '@tillhook/server/src/context.ts';
import { newId } from '@tillhook/server/src/kit/ids.ts';
import type { Role } from '@tillhook/server/src/kit/permissions.ts';
import { type Notification, notify } from '@tillhook/server/src/people/notifications/notify.service.ts';
import { writeNotifications } from '@tillhook/server/src/people/notifications/write-notifications.job.ts';
import { inOwnStatement } from '@tillhook/server/src/platform/database/statement.ts';
import { inTransaction } from '@tillhook/server/src/platform/database/transaction.ts';
import { Mail } from '@tillhook/server/src/platform/mail/mail.entity.ts';
import { contentOf, type MailContent } from '@tillhook/server/src/platform/mail/mails.service.ts';
import { sendMails } from '@tillhook/server/src/platform/mail/send-mails.job.ts';
import { createMailSender } from '@tillhook/server/src/platform/mail/smtp.ts';
import { mailRenderers } from '@tillhook/server/src/start/mail-kinds.ts';
import { reportEndpoints } from '@tillhook/server/src/webhooks/endpoints/report-endpoints.job.ts';
import { record } from '@tillhook/server/src/webhooks/queue/record.ts';
import test, { type ExecutionContext } from 'ava';
import { eventually } from '../support/eventually.ts';
import { type MailServer, startMailServer } from '../support/mail/mail-server.ts';
import { insertDeliveries, payOnce, unreachableUrl } from '../support/receivers/deliveries.ts';
import { ownServerForFile, type TestMerchant } from '../support/server/tillhook.ts';
import { addUser } from '../support/users/users.ts';

const mails: MailServer = await startMailServer();
const settings = { MAIL_URL: mails.url, MAIL_FROM: 'Example Pay <pay@example.com>' };
/** Runs no job by itself. */
const server = ownServerForFile({
  ...settings,
  ROLE: 'api',
  DELIVERY_DIRECT: 'on',
  DELIVERY_RETRY_DELAYS_MS: '3600000',
});
const withoutMail = ownServerForFile({ ROLE: 'api' });
test.after.always(() => mails[Symbol.asyncDispose]());

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

test.serial('a mail has links and headers that stop mails of its kind, and of no other kind', async (t) => {
  const { merchant, email } = await merchantWithUser();
  await notifyOf(wellEndpoint(merchant));
  await runJobs();
  const { text, html, unsubscribeUrl = 'none' } = await mailTo(email);
  const url = /^List-Unsubscribe: <(.*)>$/m.exec(headersTo(email))?.[1] ?? '';
  t.regex(headersTo(email), /^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m);
  t.true(text.includes(unsubscribeUrl));
  t.true(html.includes('Stop mails of this kind'));

  const page = await fetch(url);
  t.is(page.status, 200);
  t.deepEqual(await mailsOffOf(email), [], 'a GET changes nothing');
  const stopped = await fetch(url, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) });
  t.is(stopped.status, 200);
  t.is((await fetch(url, { method: 'POST' })).status, 200);

  t.deepEqual(await mailsOffOf(email), ['endpoint_well']);
  await notifyOf(wellEndpoint(merchant), failingEndpoint(merchant));
  await runJobs();
  t.deepEqual(subjectsTo(email).slice(1), ['Webhooks to shop.example fail (test mode)']);
});

test.serial('a wrong link to stop mails is answered 400 and changes nothing', async (t) => {
  const { merchant, email } = await merchantWithUser();
  await notifyOf(wellEndpoint(merchant));
  await runJobs();
  const url = new URL(/https?:\S+\/mails\/unsubscribe\S+/.exec((await mailTo(email)).text)?.[0] ?? '');
  const token = url.searchParams.get('token') ?? '';
  const another = server().context.sealer.seal(`${newId()} endpoint_well`, 'unsubscribe');
  const ofAnotherPurpose = server().context.sealer.seal(`${await userIdOf(email)} endpoint_well`, 'reset');
  const encoded = (text: string) => Buffer.from(text).toString('base64url');
  for (const wrong of [
    '',
    'nonsense',
    token.slice(0, -2),
    `${token}&token=${token}`,
    encoded(another),
    encoded(ofAnotherPurpose),
  ]) {
    for (const method of ['GET', 'POST']) {
      const response = await fetch(`${server().url}/mails/unsubscribe?token=${wrong}`, { method });
      t.is(response.status, 400, wrong);
      t.true((await response.text()).includes('This link is not valid'));
    }
  }
  t.deepEqual(await mailsOffOf(email), []);
});

test.serial(
  'people who switched a kind off, who were removed or whose role changed after a mail was written get none',
  async (t) => {
    const { merchant, email } = await merchantWithUser();
    const [off, removed, changed] = [
      await addUser(server(), merchant),
      await addUser(server(), merchant),
      await addUser(server(), merchant),
    ];
    await notifyOf(wellEndpoint(merchant));
    await writeNotifications(own());
    const { database } = server();
    await database.query(`update dashboard_user set mails_off = '{endpoint_well}' where email = $1`, [off]);
    await database.query(`update dashboard_user set role = 'viewer' where email = $1`, [changed]);
    await database.query('delete from dashboard_user where email = $1', [removed]);

    await runJobs();

    t.deepEqual(
      [email, off, removed, changed].map((address) => subjectsTo(address).length),
      [1, 0, 0, 0],
    );
    t.deepEqual(
      await database.query('select status, count(*)::int from mail where merchant_id = $1 group by 1 order by 1', [
        merchant.id,
      ]),
      [
        { status: 'dropped', count: 3 },
        { status: 'sent', count: 1 },
      ],
    );
  },
);

test.serial('the role of a person decides about the kinds of mails', async (t) => {
  const { merchant, email: administrator } = await merchantWithUser();
  const developer = await addUser(server(), merchant, 'developer');
  const support = await addUser(server(), merchant, 'support');
  const viewer = await addUser(server(), merchant, 'viewer');
  const operator = await addUser(server(), merchant, 'operator');
  const { email: operatorElsewhere } = await merchantWithUser('operator');
  await notifyOf(failingEndpoint(merchant), reviewedPayment(merchant), silentProcessor);

  await runJobs();

  const [technical, commercial, service] = [
    'Webhooks to shop.example fail (test mode)',
    'Payment order-1042 is under review (test mode)',
    'Stripe does not answer',
  ];
  t.deepEqual(subjectsTo(administrator).toSorted(), [commercial, technical]);
  t.deepEqual(subjectsTo(developer), [technical]);
  t.deepEqual(subjectsTo(support), [commercial]);
  t.deepEqual(subjectsTo(viewer), []);
  t.deepEqual(subjectsTo(operator).toSorted(), [commercial, service, technical]);
  t.deepEqual(subjectsTo(operatorElsewhere), [service]);
});

test.serial('people of another merchant get no mail', async (t) => {
  const { merchant } = await merchantWithUser();
  const { email } = await merchantWithUser();
  await notifyOf(wellEndpoint(merchant));
  await runJobs();
  t.deepEqual(subjectsTo(email), []);
});

test.serial('a mail shows twenty notifications and counts the others', async (t) => {
  const { merchant, email } = await merchantWithUser();
  await notifyOf(...Array.from({ length: 25 }, (_, index) => wellEndpoint(merchant, `/${index}/`)));
  await runJobs();
  t.deepEqual(subjectsTo(email), ['Webhooks to 25 endpoints arrive again (test mode)']);
  const { text } = await mailTo(email);
  t.true(text.includes('https://shop.example/19/'));
  t.false(text.includes('https://shop.example/20/'));
  t.true(text.includes('The dashboard shows the other 5.'));
  const { merchant: next, email: nextEmail } = await merchantWithUser();
  await notifyOf(...Array.from({ length: 21 }, (_, index) => wellEndpoint(next, `/${index}/`)));
  await runJobs();
  t.true((await mailTo(nextEmail)).text.includes('The dashboard shows one more.'));
});

test.serial(
  'a mail has its times in the time zone of its person, and in UTC for a person who has chosen none',
  async (t) => {
    const [{ email }, { email: inTokyo }] = [await merchantWithUser('operator'), await merchantWithUser('operator')];
    await server().database.query(
      `update dashboard_user set time_zone = 'Asia/Tokyo', language = 'de-DE' where email = $1`,
      [inTokyo],
    );
    await notifyOf(silentProcessor);

    await runJobs();

    t.true((await mailTo(email)).text.includes('Silent since: 28 November 2026 at 10:00 UTC\n'));
    t.true((await mailTo(inTokyo)).text.includes('Silent since: 28. November 2026 um 19:00 GMT+9\n'));
  },
);

test.serial('without a mail server nothing is written, and endpoints are not looked at', async (t) => {
  const { context, database, createMerchant } = withoutMail();
  const merchant = await createMerchant();
  const { id } = await merchant.client.webhookEndpoints.register({ url: unreachableUrl });
  await database.query(`update webhook_endpoint set failing_since = now() - interval '2 hours' where id = $1`, [id]);
  await inTransaction(withFreshEntityManager(context), (tx) => notify(tx, wellEndpoint(merchant)));
  await reportEndpoints(withFreshEntityManager(context));
  await writeNotifications(withFreshEntityManager(context));
  for (const table of ['notification', 'endpoint_report', 'mail'])
    t.deepEqual(await database.query(`select from ${table}`), [], table);
});

const own = () => withFreshEntityManager(server().context);

async function runJobs(): Promise<void> {
  await reportEndpoints(own());
  await writeNotifications(own());
  const sender = createMailSender({ url: mails.url, from: { name: 'Example Pay', address: 'pay@example.com' } });
  await sendMails(own(), { sender, renderers: mailRenderers }).finally(() => sender.close());
}

async function merchantWithUser(role?: Role) {
  const merchant = await server().createMerchant();
  return { merchant, email: await addUser(server(), merchant, role) };
}

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

async function notifyOf(...notifications: Notification[]): Promise<void> {
  await inTransaction(own(), async (tx) => {
    for (const each of notifications) await notify(tx, each);
  });
}

const wellEndpoint = ({ id: merchantId }: TestMerchant, path = '/webhooks'): Notification => ({
  ...{ kind: 'endpoint_well', merchantId, mode: 'test' },
  details: { id: newId(), url: `https://shop.example${path}` },
});

const failingEndpoint = ({ id: merchantId }: TestMerchant): Notification => ({
  ...{ kind: 'endpoint_failing', merchantId, mode: 'test' },
  details: { id: newId(), url: 'https://shop.example/webhooks', since: new Date().toISOString() },
});

const sourcesTo = (email: string) =>
  mails.received.filter(({ recipient }) => recipient === email).map(({ source }) => source);

const subjectsTo = (email: string) => sourcesTo(email).map((source) => /^Subject: (.*)\r$/m.exec(source)?.[1]);

const reviewedPayment = ({ id: merchantId }: TestMerchant): Notification => ({
  ...{ kind: 'payment_review', merchantId, mode: 'test' },
  details: { reference: 'order-1042', amount: 500_000, currency: 'EUR', reason: 'paid_twice' },
});

const silentProcessor: Notification = {
  ...{ kind: 'processor_silent', merchantId: null, mode: 'live' },
  details: { event: 'silent', processor: 'stripe', since: '2026-11-28T10:00:00.000Z', reason: 'no answer within 25 s' },
};

/** The headers of the newest mail, each on one line. */
const headersTo = (email: string) => (sourcesTo(email).at(-1) ?? '').replace(/\r\n[ \t]+/g, ' ').replaceAll('\r', '');

/** The newest mail that was sent to the address. */
async function mailTo(email: string): Promise<MailContent> {
  const [mail] = await own().em.find(Mail, { recipient: email, status: 'sent' }, { orderBy: { id: 'desc' }, limit: 1 });
  const content = mail && (await contentOf(own(), mailRenderers, mail));
  if (!content) throw new Error(`No mail was sent to ${email}.`);
  return content;
}

async function mailsOffOf(email: string): Promise<string[]> {
  const [user] = await server().database.query<{ mails_off: string[] }>(
    'select mails_off from dashboard_user where email = $1',
    [email],
  );
  return user?.mails_off ?? [];
}

async function userIdOf(email: string): Promise<string> {
  const [user] = await server().database.query<{ id: string }>('select id from dashboard_user where email = $1', [
    email,
  ]);
  return user?.id ?? '';
}
