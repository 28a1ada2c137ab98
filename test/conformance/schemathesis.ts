/**
 * Runs schemathesis, all its phases and checks, against a real server with a demo merchant, and ends with its exit code.
 * `SCHEMATHESIS` says where the program is; it comes from PyPI, so it belongs to `.ci/run` and not to `npm test`.
 */
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OperationOutput } from '@tillhook/openapi';
import { Tillhook } from '@tillhook/sdk';
import { loadConfig, startTillhook } from '@tillhook/server';

const config = fileURLToPath(new URL('./schemathesis.toml', import.meta.url));
const hooks = fileURLToPath(new URL('./hooks.py', import.meta.url));
const program = process.env.SCHEMATHESIS ?? 'schemathesis';

const home = mkdtempSync(join(tmpdir(), 'tillhook-conformance-'));
chmodSync(home, 0o755);
const server = await startTillhook(
  loadConfig({ PORT: '0', DATA_DIR: join(home, 'data'), RATE_LIMITS: 'off', LOG_LEVEL: 'error' }),
);
let exitCode = 1;
try {
  if (!server.demo) throw new Error('A server that was never started before makes a demo merchant.');
  const { testKey, email, password } = server.demo;
  const tillhook = new Tillhook(testKey, { baseUrl: server.url });
  await fillWallets(tillhook);
  exitCode = await run(server.url, {
    TILLHOOK_URL: server.url,
    TILLHOOK_KEY: testKey,
    TILLHOOK_EMAIL: email,
    TILLHOOK_PASSWORD: password,
    TILLHOOK_ENDPOINT_ID: await registerEndpoint(tillhook),
    ...(await signIn(server.url, { email, password })),
  });
} finally {
  await server.stop();
  rmSync(home, { recursive: true, force: true });
}
// The schedule leaves timers behind that would keep this process for minutes.
process.exit(exitCode);

/** So that transfers and top-ups get past the question whether there is enough. */
async function fillWallets({ checkout, testHelpers }: Tillhook): Promise<void> {
  for (let payment = 0; payment < 20; payment++) {
    const { data } = await checkout.create({ email: 'ada@example.com', amount: 999_999_999_999 });
    await testHelpers.completePayment(data.reference);
    await testHelpers.fundWallet({ amount: 999_999_999_999 });
  }
}

/** One whose secret can be shown. Nothing is sent to it. */
async function registerEndpoint({ webhookEndpoints }: Tillhook): Promise<string> {
  const { id } = await webhookEndpoints.register({ url: 'https://shop.example.com/webhooks' });
  await webhookEndpoints.update(id, { isActive: false });
  return id;
}

/** The session that calls of the Dashboard come with, and the id of the key that the others come with. */
async function signIn(url: string, typed: { email: string; password: string }): Promise<Record<string, string>> {
  const signedIn = await fetch(`${url}/api/v1/dashboard/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(typed),
  });
  const [cookie = ''] = signedIn.headers.getSetCookie().map((line) => line.split(';')[0]);
  const list = await fetch(`${url}/api/v1/dashboard/api-keys`, { headers: { cookie, 'x-service-mode': 'test' } });
  const { apiKeys } = (await list.json()) as OperationOutput<'listApiKeys'>;
  return { TILLHOOK_SESSION: cookie.replace('tillhook_session=', ''), TILLHOOK_KEY_ID: apiKeys[0]?.id ?? '' };
}

function run(url: string, credentials: Record<string, string>): Promise<number> {
  const args = [`--config-file=${config}`, 'run', `${url}/openapi.yaml`, `--url=${url}`, ...process.argv.slice(2)];
  const child = spawn(program, args, {
    cwd: home,
    stdio: 'inherit',
    env: { ...process.env, ...credentials, TILLHOOK_HOOKS: hooks },
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}
