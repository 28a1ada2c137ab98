/**
 * Runs schemathesis, all its phases and checks, against a real server with a demo merchant, and ends with its exit code.
 * `SCHEMATHESIS` says where the program is; it comes from PyPI, so it belongs to `.ci/run` and not to `npm test`.
 */
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadConfig, startTillhook } from '@tillhook/server';

const config = fileURLToPath(new URL('./schemathesis.toml', import.meta.url));
const hooks = fileURLToPath(new URL('./hooks.py', import.meta.url));
const program = process.env.SCHEMATHESIS ?? 'schemathesis';

const home = mkdtempSync(join(tmpdir(), 'tillhook-conformance-'));
chmodSync(home, 0o755);
const server = await startTillhook(
  loadConfig({ PORT: '0', DATA_DIR: join(home, 'data'), RATE_LIMITS: 'off', LOG_LEVEL: 'error' }),
);
try {
  process.exitCode = await run(server.url, server.demo?.testKey ?? '');
} finally {
  await server.stop();
  rmSync(home, { recursive: true, force: true });
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
