/** Who gets a mail about a notification, what every such mail has, and the link that stops mails of its kind. */
import { withFreshEntityManager } from '@tillhook/server/src/context.ts';
import { newId } from '@tillhook/server/src/kit/ids.ts';
import { type Notification, notify } from '@tillhook/server/src/people/notifications/notify.service.ts';
import { writeNotifications } from '@tillhook/server/src/people/notifications/write-notifications.job.ts';
import { inTransaction } from '@tillhook/server/src/platform/database/transaction.ts';
import { reportEndpoints } from '@tillhook/server/src/webhooks/endpoints/report-endpoints.job.ts';
import test from 'ava';
import { unreachableUrl } from '../support/receivers/deliveries.ts';
import { ownServerForFile, type TestMerchant } from '../support/server/tillhook.ts';
import { mailTo, merchantWithUser, own, runJobs, server, sourcesTo, subjectsTo } from '../support/users/user-mails.ts';
import { addUser } from '../support/users/users.ts';

const withoutMail = ownServerForFile({ ROLE: 'api' });

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
