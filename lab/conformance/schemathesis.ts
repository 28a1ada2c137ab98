/**
 * hooks.py puts the ids of existing rows into the requests of schemathesis. schemathesis comes from PyPI, so `.ci/run`
 * runs this program, and `npm test` does not.
 * See docs/decisions/tests.md, "schemathesis asks about rows that exist".
 */
import { spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { closeSchemas, type OperationOutput, readContract } from '@tillhook/openapi';
import { Tillhook } from '@tillhook/sdk';
import { loadConfig, type Tillhook as Server, startTillhook } from '@tillhook/server';
import { openTestDatabase } from '@tillhook/test/support/database/database.ts';
import { type Arrange, arrangements } from '@tillhook/test/support/server/arrange.ts';
import { callsOf } from '@tillhook/test/support/server/calls.ts';
import { startInputServer } from './input-server.ts';

const config = fileURLToPath(new URL('./schemathesis.toml', import.meta.url));
const hooks = fileURLToPath(new URL('./hooks.py', import.meta.url));
const program = process.env.SCHEMATHESIS ?? 'schemathesis';
const isShort = process.argv.includes('--short');
const given = process.argv.slice(2).filter((argument) => argument !== '--short');
const seed = process.env.CONFORMANCE_SEED ?? String(randomInt(2 ** 32));

const home = mkdtempSync(join(tmpdir(), 'tillhook-conformance-'));
chmodSync(home, 0o755);
const counts = join(home, 'counts.json');
// The published document lacks the operations of the dashboard and allows additional properties.
const contract = join(home, 'contract.json');
writeFileSync(contract, JSON.stringify(closeSchemas(readContract().document)));
// The input server reads the link of an invitation in its mail, which is encrypted.
const masterKeys = `conformance:${randomBytes(32).toString('base64')}`;
process.env.TEST_MASTER_KEYS = masterKeys;
const server = await startTillhook(
  loadConfig({
    PORT: '0',
    DATA_DIR: join(home, 'data'),
    MASTER_KEYS: masterKeys,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
  }),
);
const repeat = `CONFORMANCE_SEED=${seed} npm run conformance${isShort ? ' -- --short' : ''}`;
console.log(`Seed ${seed}; ${repeat} makes the same requests again.`);
let exitCode = 1;
try {
  exitCode = await conform(server);
  if (neverCarriedOut() > 0) exitCode ||= 1;
  if (exitCode !== 0) console.error(`FAILED. ${repeat} makes the same requests again.`);
} finally {
  await server.stop();
  rmSync(home, { recursive: true, force: true });
}
// The schedule leaves timers behind, which would keep this process running for minutes.
process.exit(exitCode);

async function conform({ url, demo, context, databaseUrl }: Server): Promise<number> {
  if (!demo) throw new Error('The server has created no demo merchant in its new database.');
  const { testKey, email, password } = demo;
  await fillWallets(new Tillhook(testKey, { baseUrl: url }));
  const arrange = ((name: keyof typeof arrangements, given: never) => arrangements[name](context, given)) as Arrange;
  const database = openTestDatabase(databaseUrl);
  const inputs = await startInputServer({ ...callsOf(url, arrange), database });
  try {
    return await run(url, {
      TILLHOOK_KEY: testKey,
      TILLHOOK_EMAIL: email,
      TILLHOOK_PASSWORD: password,
      TILLHOOK_INPUT_SERVER: inputs.url,
      TILLHOOK_COUNTS: counts,
      ...(await signIn(url, { email, password })),
    });
  } finally {
    inputs.stop();
    await database.close();
  }
}

/** With empty wallets, the transfers and top-ups of the stateful phase would fail. */
async function fillWallets({ checkout, testHelpers }: Tillhook): Promise<void> {
  for (let payment = 0; payment < 20; payment++) {
    const { data } = await checkout.create({ email: 'ada@example.com', amount: 999_999_999_999 });
    await testHelpers.completePayment(data.reference);
    await testHelpers.fundWallet({ amount: 999_999_999_999 });
  }
}

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

function run(url: string, variables: Record<string, string>): Promise<number> {
  const args = [`--config-file=${config}`, 'run', contract, `--url=${url}`, `--seed=${seed}`];
  const child = spawn(program, [...args, ...given], {
    cwd: home,
    stdio: 'inherit',
    env: { ...process.env, ...variables, TILLHOOK_HOOKS: hooks, TILLHOOK_SHORT: String(isShort) },
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

function neverCarriedOut(): number {
  if (!existsSync(counts)) throw new Error('hooks.py has written no counts.');
  const counted: Record<string, [carriedOut: number, calls: number]> = JSON.parse(readFileSync(counts, 'utf8'));
  const isWholeRun = given.length === 0;
  const names = isWholeRun ? readContract().model.operations.map(({ id }) => id) : Object.keys(counted);
  const operations = names.map((name): [carriedOut: number, calls: number] => counted[name] ?? [0, 0]);
  const never = names.filter((name) => !counted[name]?.[0]);
  const sum = (of: 0 | 1) => operations.reduce((total, count) => total + count[of], 0);
  const min = Math.min(...operations.map(([carriedOut]) => carriedOut));
  console.log(
    `${names.length - never.length} of ${names.length} operations were carried out, each at least ${min} times; ` +
      `${sum(0)} of ${sum(1)} calls were.`,
  );
  if (never.length > 0) console.error(`Never carried out: ${never.join(', ')}.`);
  return never.length;
}
