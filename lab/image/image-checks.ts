import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { startReceiver } from '@tillhook/mock/receiver';
import { Tillhook } from '@tillhook/sdk';
import { eventually } from '@tillhook/test/support/eventually.ts';
import { payByForm } from '@tillhook/test/support/money/hosted-page.ts';
import type { Check } from '../packages/checks.ts';
import type { Image } from './buildah.ts';
import { type Container, run, start } from './container.ts';
import { contentChecks } from './content-checks.ts';

interface Processes {
  api: Container;
  worker: Container;
  apiUrl: string;
  workerUrl: string;
}

/** Each check needs the rows of earlier checks, so the checks must run in this order. */
export function imageChecks(image: Image, databaseUrl: string): Check[] {
  const env = {
    DATABASE_URL: databaseUrl,
    MASTER_KEYS: `test:${randomBytes(32).toString('base64')}`,
    PORT: '0',
    // The receiver of the deliveries is on this machine.
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    // The worker, and not the API, sends the deliveries that the API commits.
    DELIVERY_DIRECT: 'off',
    LOG_LEVEL: 'warn',
  };
  let key = '';
  let processes: Processes;
  return [
    ...contentChecks(image),
    ...databaseChecks(image, env, (created) => {
      key = created;
    }),
    {
      title: 'ROLE=api and ROLE=worker become ready, as /readyz and the health check report',
      run: async (remark) => {
        processes = await startProcesses(image, env);
        for (const url of [processes.apiUrl, processes.workerUrl]) await assertHealthy(image, url);
        const [api, worker] = [processes.api.memory(), processes.worker.memory()];
        remark(`the API has ${api} MiB, the worker ${worker} MiB`);
      },
    },
    {
      title: 'a checkout is created and paid, and its receiver gets a signed webhook',
      run: () => payAndReceive(processes.apiUrl, key),
    },
    {
      title: 'the dashboard, the home page and every page of the documentation are served',
      run: async (remark) => remark(`${await assertPages(processes.apiUrl)} pages`),
    },
    { title: 'SIGTERM ends both with the exit code 0', run: () => stopBoth(processes) },
    {
      title: 'tillhook ledger check finds no breach',
      run: async () => {
        assert.equal((await run(image, env, ['tillhook', 'ledger', 'check'])).code, 0);
      },
    },
  ];
}

function databaseChecks(image: Image, env: Record<string, string>, onKey: (key: string) => void): Check[] {
  return [
    {
      title: 'the start with a database that is not migrated ends with one clear line',
      run: async () => {
        const { code, output } = await run(image, env);
        assert.equal(code, 1, output);
        assert.match(
          output,
          /^The database is not migrated\. Run npm run db:migrate, or set MIGRATE_ON_START=true\.$/m,
        );
      },
    },
    {
      title: 'npm run db:migrate and the commands of tillhook work',
      run: async () => {
        const migrated = await run(image, env, ['npm', 'run', 'db:migrate']);
        assert.equal(migrated.code, 0, migrated.output);
        const merchant = ['tillhook', 'merchants', 'create', '--name', 'Ada', '--currency', 'NGN'];
        const created = await run(image, env, merchant);
        assert.equal(created.code, 0, created.output);
        const made = await run(image, env, ['tillhook', 'keys', 'create', '--mode', 'test']);
        const [key] = /sk_test_\w+/.exec(made.output) ?? [];
        assert.ok(key, made.output);
        onKey(key);
      },
    },
  ];
}

async function startProcesses(image: Image, env: Record<string, string>): Promise<Processes> {
  const api = start(image, { ...env, ROLE: 'api' });
  const worker = start(image, { ...env, ROLE: 'worker' });
  const [apiUrl, workerUrl] = await Promise.all([api.line('api '), worker.line('api ')]);
  await Promise.all([api.line('ready'), worker.line('ready')]);
  return { api, worker, apiUrl, workerUrl };
}

async function assertHealthy(image: Image, url: string): Promise<void> {
  const ready = await fetch(`${url}/readyz`);
  assert.deepEqual([ready.status, ((await ready.json()) as { status: string }).status], [200, 'ready']);
  const [, ...command] = image.config.Healthcheck.Test;
  const { code, output } = await run(image, { PORT: new URL(url).port }, command);
  assert.equal(code, 0, output);
}

async function payAndReceive(url: string, key: string): Promise<void> {
  const receiver = await startReceiver();
  try {
    const client = new Tillhook(key, { baseUrl: url });
    const { secret } = await client.webhookEndpoints.register({ url: receiver.url });
    await receiver.addSecret(secret);
    const { data } = await client.checkout.create({ email: 'ada@example.com', amount: 500_000 });
    await payByForm(data.checkoutUrl, '4242424242424242');
    const [delivery] = await receiver.waitFor(1, 30_000);
    assert.equal(delivery?.verification, 'verified');
    assert.equal((await client.payments.get(data.reference)).status, 'completed');
    const statuses = async () => (await client.deliveries.list()).deliveries.map(({ status }) => status);
    await eventually(statuses, ['delivered']);
  } finally {
    await receiver.stop();
  }
}

async function assertPages(url: string): Promise<number> {
  const contents = await (await fetch(`${url}/docs/llms.txt`)).text();
  const links = [...contents.matchAll(/\]\((\S+?)\)/g)].map(([, link = '']) => new URL(link, url));
  const addresses = ['/', '/dashboard', '/docs', '/docs/quick-start', ...links.map(({ pathname }) => pathname)];
  const headers = { Accept: 'text/html' };
  for (const address of addresses) assert.equal((await fetch(new URL(address, url), { headers })).status, 200, address);
  assert.ok(links.length > 50, contents);
  return addresses.length;
}

async function stopBoth({ api, worker }: Processes): Promise<void> {
  for (const { code, output } of await Promise.all([api.stop(), worker.stop()])) assert.equal(code, 0, output);
}
