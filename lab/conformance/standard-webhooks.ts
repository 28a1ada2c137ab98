/** The package standardwebhooks comes from PyPI, so `.ci/run` runs this program, and `npm test` does not. */
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Receiver, startReceiver } from '@tillhook/mock/receiver';
import { generateSecret, Tillhook } from '@tillhook/sdk';
import { loadConfig, startTillhook } from '@tillhook/server';

interface Delivery {
  title: string;
  secrets: string[];
  headers: Record<string, unknown>;
  body: string;
}

const script = fileURLToPath(new URL('./standard_webhooks.py', import.meta.url));
const vectors = fileURLToPath(new URL('../../docs/quick-start/vectors.json', import.meta.url));
const python = process.env.STANDARD_WEBHOOKS_PYTHON ?? 'python3';

const home = mkdtempSync(join(tmpdir(), 'tillhook-conformance-'));
chmodSync(home, 0o755);
const receiver = await startReceiver({ answer: () => ({ status: 200 }) });
const server = await startTillhook(loadConfig({ PORT: '0', DATA_DIR: join(home, 'data'), LOG_LEVEL: 'error' }));
let exitCode = 1;
try {
  if (!server.demo) throw new Error('The server has created no demo merchant in its new database.');
  const tillhook = new Tillhook(server.demo.testKey, { baseUrl: server.url });
  const file = join(home, 'deliveries.json');
  writeFileSync(file, JSON.stringify(await rotate(tillhook, receiver)));
  exitCode = await run(file);
} finally {
  await server.stop();
  await receiver.stop();
  rmSync(home, { recursive: true, force: true });
}
// The schedule leaves timers behind, which would keep this process running for minutes.
process.exit(exitCode);

async function rotate({ webhookEndpoints }: Tillhook, { url, deliveries }: Receiver): Promise<Delivery[]> {
  const { id, secret } = await webhookEndpoints.register({ url });
  const next = generateSecret();
  async function deliver(title: string, secrets: string[]): Promise<Delivery> {
    await webhookEndpoints.sendTest(id);
    const last = deliveries.at(-1);
    if (!last) throw new Error('The test event did not arrive.');
    return { title, secrets, headers: last.headers, body: String(last.body) };
  }
  const before = await deliver('before a rotation', [secret]);
  await webhookEndpoints.rotateSecret(id, { secret: next });
  const staged = await deliver('while a secret is staged', [secret, next]);
  await webhookEndpoints.completeSecretRotation(id);
  return [before, staged, await deliver('after the rotation was completed', [next, secret])];
}

function run(file: string): Promise<number> {
  const child = spawn(python, [script, vectors, file], { stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}
