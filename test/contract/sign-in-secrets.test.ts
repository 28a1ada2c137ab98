import test from 'ava';
import { createTestDatabase, type Database } from '../support/database/database.ts';
import { eventually } from '../support/eventually.ts';
import { testEnvironment } from '../support/server/environment.ts';
import { spawnTillhook } from '../support/server/process.ts';
import type { JsonResponse } from '../support/server/tillhook.ts';
import { startCollector } from '../support/tracing/collector.ts';
import { cookieOf } from '../support/users/session.ts';
import { codeOf } from '../support/users/two-step.ts';

const wrongPassword = 'a password that is wrong';
const newPassword = 'a password that comes after';
const resetTo = 'a password that comes at the end';

test('no password, two-step secret, code, recovery code, token of a link or session token is in the logs, the traces or the database', async (t) => {
  const database = await createTestDatabase();
  t.teardown(() => database.drop());
  const collector = await startCollector(t);
  const settings = testEnvironment(database.url, {
    LOG_LEVEL: 'trace',
    SEED_DEMO: 'true',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  });
  const process = spawnTillhook(t, settings);
  const url = await process.line('api ');
  const [email = '', password = ''] = (await process.line('sign in ')).split(' ');
  await process.line('ready');
  const headers: Record<string, string> = { 'content-type': 'application/json', 'x-service-mode': 'test' };
  const post = async (path: string, json: object): Promise<JsonResponse> => {
    const init = { method: 'POST', headers, body: JSON.stringify(json) };
    return fetch(`${url}/api/v1/dashboard/${path}`, init);
  };

  const refused = await post('session', { email, password: wrongPassword });
  const signedIn = await post('session', { email, password });
  headers.cookie = cookieOf(signedIn);
  const { secret, uri } = await (await post('two-step', { password })).json();
  const code = codeOf(secret);
  const confirmed = await post('two-step/confirm', { code });
  const { recoveryCodes } = await confirmed.json();
  const changed = await post('password', { password, newPassword, code: recoveryCodes[0] });
  const again = await post('session', { email, password: newPassword, code: recoveryCodes[1] });
  const wrongCode = await post('api-keys', { name: 'a', code: recoveryCodes[0] });
  await post('password-reset/request', { email });
  const link = await linkInMailbox(url);
  const token = link.searchParams.get('token') ?? '';
  await fetch(link, { headers: { referer: link.href } });
  const shortPassword = await post('password-reset', { token, password: 'short' });
  const reset = await post('password-reset', { token, password: resetTo });
  process.kill('SIGTERM');
  const { stderr: logs } = await process.ended;

  const statuses = [refused, signedIn, confirmed, changed, again, wrongCode, shortPassword, reset].map(
    ({ status }) => status,
  );
  t.deepEqual(statuses, [401, 200, 200, 200, 200, 401, 400, 200]);
  const tokens = [headers.cookie, cookieOf(again)].map((cookie) => cookie.replace(/^.*?=/, ''));
  const secrets: string[] = [
    wrongPassword,
    password,
    newPassword,
    resetTo,
    token,
    secret,
    uri,
    ...recoveryCodes,
    ...tokens,
  ];
  t.is(secrets.length, 19);
  t.true(secrets.every((one) => one.length >= 16));
  t.regex(logs, /two-step\/confirm/);
  t.regex(logs, /dashboard\/reset-password/);
  const traces = collector.requests.map(({ text }) => text).join('');
  t.regex(traces, /resetPassword/);
  t.deepEqual(foundIn(traces, secrets), []);
  t.deepEqual(foundIn(logs, [...secrets, `"${code}"`]), []);
  const values = await valuesOf(database);
  t.true(values.length > 60);
  t.deepEqual(
    values.flatMap(({ place, value }) => foundIn(value, secrets).map((found) => `${place}: ${found}`)),
    [],
  );
  t.true(values.some(({ place, value }) => place === 'dashboard_user.two_step_secret' && value.startsWith('v1.')));
  t.is(values.filter(({ place }) => place === 'recovery_code.hash').length, 8);
});

/** A demo shows its mails to this machine. */
async function linkInMailbox(url: string): Promise<URL> {
  const pageOf = async (path: string) => (await fetch(url + path)).text();
  const mail = await eventually(
    async () => /href="(\/mails\/[^"]+)"><bdi>Set a new password/.exec(await pageOf('/mails'))?.[1],
    (path) => path !== undefined,
  );
  const [link = ''] = /http\S+token=[\w-]+/.exec(await pageOf(mail ?? '')) ?? [];
  return new URL(link);
}

function foundIn(text: string, secrets: readonly string[]): string[] {
  return secrets.filter((secret) => text.includes(secret) || text.includes(secret.replaceAll('-', '')));
}

async function valuesOf(database: Database): Promise<{ place: string; value: string }[]> {
  const columns = await database.query<{ table: string; column: string }>(
    `select quote_ident(table_name) as table, quote_ident(column_name) as column from information_schema.columns
     join pg_tables on tablename = table_name and pg_tables.schemaname = table_schema where table_schema = 'public'`,
  );
  const found = columns.map(async ({ table, column }) => {
    const of = `select ${column}::text as value from ${table} where ${column} is not null`;
    return (await database.query<{ value: string }>(of)).map(({ value }) => ({ place: `${table}.${column}`, value }));
  });
  return (await Promise.all(found)).flat();
}
