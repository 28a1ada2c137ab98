/** A program must create a checkout on a real server, and its receiver must accept only the webhooks of this server. */
import { generateSecret } from '@tillhook/sdk';
import { type SignatureHeaders, sign } from '@tillhook/sdk/webhooks';
import test, { type ExecutionContext } from 'ava';
import { type Language, languages } from '../../../docs/quick-start/languages.ts';
import { eventually } from '../eventually.ts';
import { freePort } from '../network/free-port.ts';
import { serverForFile, type TestServer } from '../server/tillhook.ts';
import { folderFor, onLanguage, type Running, runToEnd, runUntilEnd, type Saved, save } from './quick-start.ts';

const body = '{"event":"checkout.success","data":{"reference":"order-1042"}}';

export function testPrograms(isTried: (language: string) => boolean): void {
  const server = serverForFile();
  for (const language of languages.filter(({ name }) => isTried(name))) {
    testCheckout(language, server);
    testSignatures(language);
    testReceiver(language);
  }
}

function testCheckout(language: Language, server: () => TestServer): void {
  const { name } = language;

  onLanguage(name)(
    `${name}: the program creates a checkout, and its receiver verifies the webhook of the payment`,
    async (t) => {
      const { testKey, client } = await server().createMerchant();
      const place = { TILLHOOK_API_KEY: testKey, TILLHOOK_BASE_URL: server().url };
      const port = await freePort();
      const { secret } = await client.webhookEndpoints.register({ url: `http://127.0.0.1:${port}/webhooks` });
      const { printed } = await startReceiver(t, language, { port, secret });
      const checkout = await savedOnce(language, 'checkout');

      const created = await runToEnd(checkout.command, checkout.folder, place);
      t.is(created.status, 0, created.stderr);
      const [payment] = (await client.payments.list()).payments;
      t.is(created.stdout.trim().replace(/[^/]+$/, ''), `${server().url}/checkout/`);
      t.like(payment, { amount: 500_000, customerEmail: 'ada@example.com', status: 'pending' });
      await client.testHelpers.completePayment(payment?.reference ?? '');

      await eventually(() => /Verified: .*checkout\.success/.test(printed()), true);
      await eventually(
        async () => (await client.deliveries.list()).deliveries.map(({ status }) => status),
        ['delivered'],
      );
      const refused = await runToEnd(checkout.command, checkout.folder, {
        ...place,
        TILLHOOK_API_KEY: 'sk_test_wrong',
      });
      t.not(refused.status, 0);
      t.regex(refused.stderr, /invalid_api_key/);
    },
  );
}

function testSignatures(language: Language): void {
  const { name } = language;

  onLanguage(name)(
    `${name}: the receiver refuses a changed body, an old timestamp, a wrong secret and a missing timestamp`,
    async (t) => {
      const port = await freePort();
      const [present, next] = [generateSecret(), generateSecret()];
      const { printed } = await startReceiver(t, language, { port, secret: `${present},${next}` });
      const nowInSeconds = Math.floor(Date.now() / 1000);
      const timestamp = (seconds: number) => sign(body, present, { timestamp: nowInSeconds + seconds });
      const both = await sign(body, present);
      const other = await sign(body, generateSecret());
      const ofRotation = { ...both, 'webhook-signature': `${other['webhook-signature']} ${both['webhook-signature']}` };

      t.is(await post(port, await sign(body, next)), 204);
      t.is(await post(port, ofRotation), 204);
      t.is(await post(port, await timestamp(-290)), 204);
      // The program may print its output after it has sent the response.
      const verified = () => printed().split('Verified').length - 1;
      await eventually(verified, 3);
      t.is(await post(port, both, body.replace('1042', '1043')), 400);
      t.is(await post(port, await timestamp(-310)), 400);
      t.is(await post(port, await timestamp(310)), 400);
      t.is(await post(port, other), 400);
      t.is(await post(port, { ...both, 'webhook-signature': other['webhook-signature'] }), 400);
      t.is(await post(port, { ...both, 'webhook-timestamp': '' }), 400);
      t.is(await post(port, { 'X-Service-Signature': both['X-Service-Signature'] }), 400);
      t.is(await post(port, {}), 400);
      t.is(verified(), 3);
    },
  );
}

function testReceiver(language: Language): void {
  const { name } = language;

  onLanguage(name)(
    `${name}: the receiver accepts X-Service-Signature alone only when TILLHOOK_REQUIRE_TIMESTAMP is false`,
    async (t) => {
      const port = await freePort();
      const secret = generateSecret();
      await startReceiver(t, language, { port, secret, requireTimestamp: 'false' });
      const { 'X-Service-Signature': service, ...standard } = await sign(body, secret);

      t.is(await post(port, { 'X-Service-Signature': service }), 204);
      t.is(await post(port, { 'X-Service-Signature': service }, `${body} `), 400);
      t.is(await post(port, standard), 204);
      const old = await sign(body, secret, { timestamp: 1_700_000_000 });
      t.is(await post(port, old), 400);
    },
  );

  onLanguage(name)(`${name}: the receiver accepts an unknown event`, async (t) => {
    const port = await freePort();
    const secret = generateSecret();
    const { printed } = await startReceiver(t, language, { port, secret });

    for (const later of [
      '{"event":"later.event","data":{}}',
      '{"event":"later.event","data":["reference"]}',
      '{"event":"later.event"}',
    ])
      t.is(await post(port, await sign(later, secret), later), 204, later);
    await eventually(() => printed().split('later.event').length - 1, 3);
  });

  onLanguage(name)(`${name}: the receiver accepts no webhook if one of its secrets is empty`, async (t) => {
    const port = await freePort();
    // The second secret of this list is empty: anyone could sign a webhook with an empty secret.
    const { printed } = runUntilEnd(t, await savedReceiver(language, port), {
      PORT: String(port),
      WEBHOOK_SECRET: `${generateSecret()},`,
    });
    // The web server of PHP runs the file only when a request arrives.
    if (name === 'PHP') await eventually(() => post(port, {}).catch(() => 'not listening yet'), 500);

    await eventually(() => printed().includes('Set WEBHOOK_SECRET to the secret of the endpoint'), true);
    const signed = await sign(body, generateSecret());
    t.not(await post(port, signed).catch(() => 'not listening'), 204);
  });
}

interface Settings {
  port: number;
  secret: string;
  requireTimestamp?: string;
}

const saved = new Map<string, Promise<Saved>>();
const folders: (() => void)[] = [];
test.after.always(() => {
  for (const remove of folders) remove();
});

function savedOnce(language: Language, kind: 'checkout' | 'receiver'): Promise<Saved> {
  const key = `${language.name} ${kind}`;
  const folder = () => folderFor({ teardown: (remove) => folders.push(remove) });
  const found = saved.get(key) ?? save(language[kind], folder());
  saved.set(key, found);
  return found;
}

/** The web server of PHP reads its address from the command line. */
async function savedReceiver(language: Language, port: number): Promise<Saved> {
  const { folder, command } = await savedOnce(language, 'receiver');
  return { folder, command: command.map((word) => word.replace('0.0.0.0:4000', `127.0.0.1:${port}`)) };
}

async function startReceiver(t: ExecutionContext, language: Language, settings: Settings): Promise<Running> {
  const { port, secret, requireTimestamp = 'true' } = settings;
  const running = runUntilEnd(t, await savedReceiver(language, port), {
    PORT: String(port),
    WEBHOOK_SECRET: secret,
    TILLHOOK_REQUIRE_TIMESTAMP: requireTimestamp,
  });
  await eventually(() => post(port, {}).catch(() => running.printed() || 'not listening yet'), 400);
  return running;
}

async function post(port: number, headers: Partial<SignatureHeaders>, sent = body): Promise<number> {
  const { status } = await fetch(`http://127.0.0.1:${port}/webhooks`, { method: 'POST', headers, body: sent });
  return status;
}
