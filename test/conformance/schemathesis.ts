/**
 * Runs schemathesis, all its phases and checks, against a real server, and ends with its exit code, or with 1 when an operation
 * was never carried out. Its requests are about what is there: hooks.py asks `input-server.ts` for it. The seed is another in
 * every run; CONFORMANCE_SEED repeats one.
 * `SCHEMATHESIS` says where the program is; it comes from PyPI, so it belongs to `.ci/run` and not to `npm test`.
 * See docs/decisions/tests.md, "schemathesis asks about rows that exist".
 */
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type OperationOutput, readContract } from '@tillhook/openapi';
import { Tillhook } from '@tillhook/sdk';
import { loadConfig, type Tillhook as Server, startTillhook } from '@tillhook/server';
import { callsOf } from '../support/calls/calls.ts';
import { openTestDatabase } from '../support/database/database.ts';
import { type Arrange, arrangements } from '../support/server/arrange.ts';
import { startInputServer } from './input-server.ts';

const config = fileURLToPath(new URL('./schemathesis.toml', import.meta.url));
const hooks = fileURLToPath(new URL('./hooks.py', import.meta.url));
const program = process.env.SCHEMATHESIS ?? 'schemathesis';
const seed = process.env.CONFORMANCE_SEED ?? String(randomInt(2 ** 32));

const home = mkdtempSync(join(tmpdir(), 'tillhook-conformance-'));
chmodSync(home, 0o755);
const counts = join(home, 'counts.json');
const server = await startTillhook(
  loadConfig({ PORT: '0', DATA_DIR: join(home, 'data'), RATE_LIMITS: 'off', LOG_LEVEL: 'error' }),
);
const repeat = `CONFORMANCE_SEED=${seed} npm run conformance`;
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
// The schedule leaves timers behind that would keep this process for minutes.
process.exit(exitCode);

async function conform({ url, demo, context, databaseUrl }: Server): Promise<number> {
  if (!demo) throw new Error('A server that was never started before makes a demo merchant.');
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

/** So that transfers and top-ups of a sequence get past the question whether there is enough. */
async function fillWallets({ checkout, testHelpers }: Tillhook): Promise<void> {
  for (let payment = 0; payment < 20; payment++) {
    const { data } = await checkout.create({ email: 'ada@example.com', amount: 999_999_999_999 });
    await testHelpers.completePayment(data.reference);
    await testHelpers.fundWallet({ amount: 999_999_999_999 });
  }
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

function run(url: string, variables: Record<string, string>): Promise<number> {
  const args = [`--config-file=${config}`, 'run', `${url}/openapi.yaml`, `--url=${url}`, `--seed=${seed}`];
  const child = spawn(program, [...args, ...process.argv.slice(2)], {
    cwd: home,
    stdio: 'inherit',
    env: { ...process.env, ...variables, TILLHOOK_HOOKS: hooks },
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

/** Prints what hooks.py counted, and returns how many operations never answered with a success. */
function neverCarriedOut(): number {
  if (!existsSync(counts)) throw new Error('hooks.py counted nothing.');
  const counted: Record<string, [carriedOut: number, calls: number]> = JSON.parse(readFileSync(counts, 'utf8'));
  const isWholeRun = process.argv.length === 2;
  const names = isWholeRun ? readContract().model.operations.map(({ id }) => id) : Object.keys(counted);
  const operations = names.map((name): [carriedOut: number, calls: number] => counted[name] ?? [0, 0]);
  const never = names.filter((name) => !counted[name]?.[0]);
  const sum = (of: 0 | 1) => operations.reduce((total, count) => total + count[of], 0);
  const least = Math.min(...operations.map(([carriedOut]) => carriedOut));
  console.log(
    `${names.length - never.length} of ${names.length} operations were carried out, each at least ${least} times; ` +
      `${sum(0)} of ${sum(1)} calls were.`,
  );
  if (never.length > 0) console.error(`Never carried out: ${never.join(', ')}.`);
  return never.length;
}
