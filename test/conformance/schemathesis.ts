/**
 * Runs schemathesis, all its phases and checks, against a real server with a demo merchant, and ends with its exit code.
 * `SCHEMATHESIS` says where the program is; it comes from PyPI, so it belongs to `.ci/run` and not to `npm test`.
 */
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
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
  const key = server.demo?.testKey ?? '';
  await fillWallets(new Tillhook(key, { baseUrl: server.url }));
  exitCode = await run(server.url, key);
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

function run(url: string, key: string): Promise<number> {
  const args = [`--config-file=${config}`, 'run', `${url}/openapi.yaml`, `--url=${url}`, ...process.argv.slice(2)];
  const child = spawn(program, args, {
    cwd: home,
    stdio: 'inherit',
    env: { ...process.env, TILLHOOK_KEY: key, TILLHOOK_HOOKS: hooks },
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}
