/** The hours of the tested time zones begin between the hours of UTC. */
import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import { eventually } from '../support/eventually.ts';
import { testEnvironment } from '../support/server/environment.ts';
import { spawnTillhook } from '../support/server/process.ts';
import { serverForFile } from '../support/server/tillhook.ts';
import { beginSession } from '../support/users/session.ts';
import { generatedRows, type Rows, writeRows } from './generated-rows.ts';

/** A shorter retention would make a job remove the oldest rows during the test. */
const keepsAll = { RETENTION_DAYS: '300' };
const server = serverForFile({ ROLE: 'api', ...keepsAll });
const processZone = 'America/St_Johns';
const databaseZone = 'Pacific/Chatham';

const dayMs = 86_400_000;
const now = new Date();
const daysAgo = (days: number) => new Date(now.getTime() - days * dayMs).toISOString();

const paths = [
  ...['1', '7', '30', '90'].map((days) => `/dashboard/overview?days=${days}`),
  ...['hour', 'day'].map(
    (interval) => `/dashboard/statistics?interval=${interval}&from=${daysAgo(20)}&to=${daysAgo(1)}`,
  ),
  '/dashboard/endpoint-health?hours=100',
  `/payments?limit=100&from=${daysAgo(30)}&to=${daysAgo(1)}`,
  `/payments?limit=100&from=${daysAgo(2).replace('Z', '%2B12:45')}`,
  `/webhook-deliveries?limit=100&from=${daysAgo(30)}&order=asc`,
  '/dashboard/audit-entries',
  '/dashboard/api-keys',
  '/merchant-webhooks',
];

type Call = (path: string, headers: Record<string, string>) => Promise<string>;

const callsOf =
  (base: string): Call =>
  async (path, headers) => {
    const response = await fetch(`${base}/api/v1${path}`, { headers });
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return withoutPresent(await response.text());
  };

async function startElsewhere(t: ExecutionContext): Promise<Call> {
  const url = new URL(server().database.url);
  url.searchParams.set('options', `-c timezone=${databaseZone}`);
  const elsewhere = spawnTillhook(t, { ...testEnvironment(url.href, keepsAll), TZ: processZone });
  return callsOf(await elsewhere.line('api '));
}

function withoutPresent(text: string): string {
  return text
    .replace(/"(requestId|deliveriesKeptFrom)":"[^"]+"|http:\/\/localhost:\d+/g, '')
    .replace(/("before":\{"from":"[^"]+","to":)"[^"]+"/, '$1"now"')
    .replace(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, (time) =>
      // The start of an hour stays, because it may become ten minutes old between two answers.
      !time.endsWith(':00:00.000Z"') && Math.abs(Date.parse(JSON.parse(time)) - Date.now()) < dayMs / 24 / 6
        ? '"now"'
        : time,
    );
}

const countedHours = `
  select starts_at from payment_hour_count union all select starts_at from delivery_hour where is_closed`;

test('lists, CSV files, statistics and the hourly counts of jobs are the same in every time zone', async (t) => {
  const merchant = await server().createMerchant();
  const { token } = await beginSession(server(), merchant);
  const { id: first } = await merchant.client.webhookEndpoints.register({ url: 'http://127.0.0.1:9/' });
  const [rows] = fc.sample(generatedRows(now, [1, 7, 30, 90]), 1) as [Rows];
  const owner = { id: merchant.id, endpoints: { test: [first, first, first], live: [first, first, first] } };
  // Jobs change payments and transfers that wait for a processor.
  const payments = rows.payments.filter(({ status }) => status !== 'processing');
  await writeRows(server().database, [owner, owner], { ...rows, payments });
  const session = { cookie: `tillhook_session=${token}`, 'x-service-mode': 'test' };
  const csv = { authorization: `Bearer ${merchant.testKey}`, accept: 'text/csv' };
  const answersOf = async (call: Call): Promise<Record<string, string>> => ({
    ...Object.fromEntries(await Promise.all(paths.map(async (path) => [path, await call(path, session)]))),
    csv: await call(`/payments?from=${daysAgo(60)}`, csv),
  });

  const inUtc = callsOf(server().url);
  const uncounted = await answersOf(inUtc);
  const elsewhere = await startElsewhere(t);
  const hours = await eventually(
    () => server().database.query<{ starts_at: Date }>(countedHours),
    (found) => found.length > 10,
  );

  t.deepEqual(
    hours.filter(({ starts_at }) => starts_at.getTime() % (dayMs / 24) !== 0),
    [],
  );
  const counted = await answersOf(elsewhere);
  t.deepEqual(await answersOf(inUtc), counted);
  t.deepEqual(counted, uncounted);
  t.true((counted.csv?.split('\n').length ?? 0) > 10);
});
