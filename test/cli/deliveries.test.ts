import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sign } from '@tillhook/sdk/webhooks';
import test, { type ExecutionContext } from 'ava';
import { daysAgo, insertDeliveries, unreachableUrl, waitForDeliveries } from '../support/receivers/deliveries.ts';
import { startReceiver } from '../support/receivers/receiver.ts';
import { runTillhook } from '../support/server/command.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();
const tillhook = (...args: string[]) => runTillhook({ DATABASE_URL: server().database.url }, 'deliveries', ...args);

async function createMissed(t: ExecutionContext) {
  const receiver = await startReceiver({ answer: () => ({ status: 200 }) });
  t.teardown(() => receiver.stop());
  const merchant = await server().createMerchant();
  const { id: webhookId } = await merchant.client.webhookEndpoints.register({ url: receiver.url });
  const paused = await merchant.client.webhookEndpoints.register({ url: unreachableUrl });
  await merchant.client.webhookEndpoints.update(paused.id, { isActive: false });
  await insertDeliveries(server(), merchant, { webhookId, count: 3 });
  await insertDeliveries(server(), merchant, { webhookId, count: 2, status: 'skipped' });
  await insertDeliveries(server(), merchant, { webhookId, createdAt: daysAgo(9) });
  await insertDeliveries(server(), merchant, { webhookId, status: 'delivered' });
  await insertDeliveries(server(), merchant, { webhookId: paused.id, count: 4, status: 'skipped' });
  return { receiver, merchant, webhookId, paused };
}

test('a replay sends again the deliveries that the endpoints of a merchant missed, and the audit log shows the replay', async (t) => {
  const { receiver, merchant, webhookId, paused } = await createMissed(t);
  const wanted = ['replay', '--mode', 'test', '--merchant', merchant.id, '--since', '2d'];

  const counted = await tillhook(...wanted, '--dry-run');
  t.regex(counted.stdout, new RegExp(`^${webhookId}  ${receiver.url} +active +5$`, 'm'));
  t.regex(counted.stdout, new RegExp(`^${paused.id}  ${unreachableUrl} +inactive +4$`, 'm'));
  t.regex(counted.stderr, /^Nothing was sent\. Without --dry-run, 5 deliveries would be sent again\.$/m);
  t.is((await merchant.client.deliveries.list({ webhookId })).total, 7);

  const { code, stderr } = await tillhook(...wanted);
  const again = await tillhook(...wanted, '--json');

  t.is(code, 0, stderr);
  t.regex(stderr, /^5 deliveries are sent again, to 1 of 2 endpoints\.$/m);
  t.regex(stderr, new RegExp(`^${unreachableUrl} is inactive, so nothing is sent to it`, 'm'));
  t.deepEqual(
    JSON.parse(again.stdout).endpoints.map(({ count }: { count: number }) => count),
    [0, 0],
  );
  await receiver.waitFor(5);
  await waitForDeliveries(merchant.client);
  t.is((await merchant.client.deliveries.list({ webhookId })).total, 12);
  const acts = 'select action, subject, mode, user_email from audit_entry where merchant_id = $1';
  t.deepEqual(await server().database.query(acts, [merchant.id]), [
    { action: 'replayDeliveries', subject: webhookId, mode: 'test', user_email: null },
  ]);
});

test('a replay of one endpoint takes only the requested period and status', async (t) => {
  const { webhookId } = await createMissed(t);
  const count = async (...more: string[]) => {
    const { stdout } = await tillhook('replay', '--endpoint', webhookId, '--dry-run', '--json', ...more);
    return JSON.parse(stdout).endpoints[0].count;
  };

  t.is(await count('--since', '20d'), 6);
  t.is(await count('--since', '20d', '--until', daysAgo(8)), 1);
  t.is(await count('--since', '20 days', '--until', '8d'), 1);
  t.is(await count('--since', '1h', '--status', 'skipped'), 2);
});

test('a replay requires a mode or the id of an existing endpoint', async (t) => {
  const unknown = '01997c3e-6f1d-7cc0-8e0b-2f5d9a1b4c7e';

  t.is((await tillhook('replay', '--since', '2h')).code, 2);
  t.is((await tillhook('replay', '--since', '2h', '--endpoint', unknown, '--mode', 'test')).code, 2);
  t.is((await tillhook('replay', '--endpoint', unknown)).code, 2);
  t.is((await tillhook('replay', '--since', 'yesterday', '--endpoint', unknown)).code, 2);
  const missing = await tillhook('replay', '--since', '2h', '--endpoint', unknown);
  t.deepEqual([missing.code, missing.stderr], [1, `There is no webhook endpoint ${unknown}\n`]);
});

test('`deliveries list` shows the matching deliveries of a merchant, newest first', async (t) => {
  const { merchant, webhookId } = await createMissed(t);
  const of = ['list', '--mode', 'test', '--merchant', merchant.id, '--endpoint', webhookId];

  const { stdout } = await tillhook(...of, '--status', 'skipped');
  const all = await tillhook(...of, '--json');

  t.regex(stdout, /^ID +EVENT +REFERENCE +STATUS +ATTEMPTS +ADDRESS +CREATED\n/);
  t.is(stdout.match(/^[0-9a-f-]{36} {2}checkout\.success {2}order-1 +skipped /gm)?.length, 2);
  t.is(JSON.parse(all.stdout).length, 7);
  t.regex((await tillhook(...of, '--to', '2020-01-01')).stderr, /^No delivery matches\.$/m);
});

const directory = mkdtempSync(join(tmpdir(), 'verify-'));
test.after.always(() => rmSync(directory, { recursive: true }));

let scene: ReturnType<typeof receiveOne> | undefined;
const received = () => (scene ??= receiveOne());

async function receiveOne() {
  const receiver = await startReceiver({ answer: () => ({ status: 200 }) });
  const { client } = await server().createMerchant();
  const { id, secret } = await client.webhookEndpoints.register({ url: receiver.url });
  const { data } = await client.checkout.create({ email: 'ada@example.com', amount: 100 });
  await client.testHelpers.completePayment(data.reference);
  const [arrived] = await receiver.waitFor(1, 60_000);
  await receiver.stop();
  if (!arrived) throw new Error('The receiver got no webhook.');
  const headers = arrived.headers as Record<string, string>;
  const body = Buffer.from(arrived.body);
  const verify = async (
    given: { headers?: string; body?: string | Buffer; endpoint?: string; more?: string[]; masterKeys?: string } = {},
  ) => {
    const files = { headers: join(directory, 'headers'), body: join(directory, 'body') };
    writeFileSync(files.headers, given.headers ?? linesOf(headers));
    writeFileSync(files.body, given.body ?? body);
    const masterKeys = given.masterKeys ?? process.env.TEST_MASTER_KEYS ?? '';
    const env = { DATABASE_URL: server().database.url, MASTER_KEYS: masterKeys };
    const files_ = ['--headers', files.headers, '--body', files.body];
    const end = await runTillhook(env, 'webhooks', 'verify', given.endpoint ?? id, ...files_, ...(given.more ?? []));
    if (`${end.stdout}${end.stderr}`.includes(secret.slice(6)))
      throw new Error('The command printed the secret, which it must not print.');
    return end;
  };
  return { client, id, headers, body, verify };
}

const linesOf = (headers: Record<string, string>) =>
  ['POST /webhooks HTTP/1.1', ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join('\r\n');

test.serial('`webhooks verify` accepts a received webhook, with its headers as lines or as JSON', async (t) => {
  const { headers, verify } = await received();

  const { code, stdout, stderr } = await verify();
  const fromJson = await verify({ headers: JSON.stringify(headers), more: ['--json'] });

  t.is(code, 0, stderr);
  t.regex(stdout, /^It verifies: webhook-signature is made with the current secret of http:/);
  t.is(fromJson.code, 0);
  t.like(JSON.parse(fromJson.stdout), {
    verified: true,
    cause: null,
    signedBy: { standard: 'current', service: 'current' },
  });
});

test.serial('`webhooks verify` compares a changed body with the body that was sent', async (t) => {
  const { body, verify } = await received();
  const text = body.toString();

  const reserialised = await verify({ body: JSON.stringify(JSON.parse(text), null, 2) });
  const withBom = await verify({ body: `\uFEFF${text}` });
  const changed = await verify({ body: text.replace('"amount":100', '"amount":999') });
  const empty = await verify({ body: '' });

  t.deepEqual([reserialised.code, withBom.code, changed.code, empty.code], [1, 1, 1, 1]);
  t.regex(reserialised.stdout, /first at byte 1: .*\nIt is the same JSON written in another way/);
  t.regex(withBom.stdout, /first at byte 0: .*\nIt is the same JSON written in another way/);
  t.regex(changed.stdout, new RegExp(`first at byte ${text.indexOf('100')}: .*\nIt is not the same content\\.`));
  t.regex(empty.stdout, /: empty_body\.\nThe body is empty\./);
});

test.serial('`webhooks verify` reports missing headers, an old timestamp and an unknown event', async (t) => {
  const { headers, verify } = await received();
  const { 'webhook-timestamp': _, ...untimed } = headers;

  const missing = await verify({ headers: linesOf(untimed) });
  const old = await verify({ more: ['--at', '2030-01-01'] });
  const unknown = await verify({ headers: linesOf({ ...headers, 'webhook-id': 'no-id' }) });

  t.regex(
    missing.stdout,
    /missing_headers\.\nThese headers are missing: webhook-timestamp\.\nX-Service-Signature is made/,
  );
  t.regex(old.stdout, /timestamp_out_of_tolerance\.\nThe signature is right \(current secret\)\. It was signed at /);
  t.regex(unknown.stdout, /wrong_signature\.\nThe service has no event of this webhook-id/);
  t.deepEqual([missing.code, old.code, unknown.code], [1, 1, 1]);
});

test.serial(
  '`webhooks verify` prints one line and exits with 1 for an unreadable file, a file without headers, and a wrong MASTER_KEYS',
  async (t) => {
    const { id, verify } = await received();
    const files = ['--headers', '/nowhere/headers', '--body', '/nowhere/body'];
    const masterKeys = `other:${Buffer.alloc(32).toString('base64')}`;
    const env = { DATABASE_URL: server().database.url, MASTER_KEYS: masterKeys };

    const unread = await runTillhook(env, 'webhooks', 'verify', id, ...files);
    const badJson = await verify({ headers: '{' });
    const otherKey = await verify({ masterKeys });

    t.deepEqual([unread.code, badJson.code, otherKey.code], [1, 1, 1]);
    t.regex(unread.stderr, /^\/nowhere\/headers cannot be read: ENOENT[^\n]*\n$/);
    t.regex(badJson.stderr, /^[^\n]+ has no headers\. Write a line "Name: value" for each[^\n]+\n$/);
    t.is(otherKey.stderr, 'MASTER_KEYS: none of them decrypts the secret of this endpoint\n');
  },
);

test.serial(
  '`webhooks verify` distinguishes signatures with the secret of another endpoint, an unknown secret and a replaced secret',
  async (t) => {
    const { client, id, headers, body, verify } = await received();
    const other = await client.webhookEndpoints.register({ url: 'https://example.com/other' });
    const stranger = await sign(body, 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', { id: headers['webhook-id'] ?? '' });

    const ofOther = await verify({ endpoint: other.id });
    const ofStranger = await verify({ headers: linesOf({ ...headers, ...stranger }) });
    await client.webhookEndpoints.rotateSecret(id, {});
    await client.webhookEndpoints.completeSecretRotation(id, {});
    const ofReplaced = await verify();

    t.regex(ofOther.stdout, new RegExp(`It is signed with the secret of another endpoint: ${id}, http:`));
    t.regex(ofStranger.stdout, /The body is exactly what was sent: a header was changed, or the secret/);
    t.deepEqual([ofOther.code, ofStranger.code, ofReplaced.code], [1, 1, 0]);
    t.regex(ofReplaced.stdout, /is made with the replaced secret/);
  },
);
