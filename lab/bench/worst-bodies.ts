/**
 * Prints the cost of the most expensive bodies of each operation: the CPU time of the event loop for one call, and the
 * memory that stays allocated after 64 concurrent calls.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type ModelOperation, readContract } from '@tillhook/openapi';
import { loadConfig, startTillhook } from '@tillhook/server';
import { newId } from '@tillhook/server/src/kit/ids.ts';
import { type WorstBody, worstBodies } from '@tillhook/test/support/calls/worst-bodies.ts';
import { arrangements } from '@tillhook/test/support/server/arrange.ts';
import { Agent, request } from 'undici';
import { residentMiB } from '../support/memory.ts';
import type { RunningServer } from '../support/server.ts';
import { type Bench, prepareBench } from './bench.ts';

const callsOfEach = 4;
const atOnce = 64;

const { values: flags } = parseArgs({ options: { only: { type: 'string' } } });
const operations = readContract().model.operations.filter(({ id, body }) => body !== null && (flags.only ?? id) === id);
await using running = new AsyncDisposableStack();
const bench = await prepareBench(running, { rounds: 1, seconds: 1, profile: false });
// Without `RATE_LIMITS=off`, the server would refuse most calls of this program immediately.
Object.assign(bench.env, { RATE_LIMITS: 'off', LOG_LEVEL: 'error' });
const agent = new Agent({ connections: atOnce, pipelining: 1 });
const headersOf = await credentials(bench);

console.log('| operation | worst body | ms of one call | bytes of the answer | MiB that stay after 64 at once |');
console.log('|---|---|---|---|---|');
for (const operation of operations) {
  const server = await bench.startServer('api');
  const costs: { body: WorstBody; ms: number; bytes: number }[] = [];
  for (const body of worstBodies(operation)) costs.push({ body, ...(await costOf(server, operation, body)) });
  await server.stop();

  const [worst] = costs.toSorted((one, other) => other.ms - one.ms);
  if (!worst) continue;
  const staying = await memoryOf(bench, operation, worst.body);
  console.log(
    `| ${operation.id} | ${worst.body.what} | ${worst.ms.toFixed(1)} | ${worst.bytes} | ${Math.round(staying)} |`,
  );
}

/** Returns the time of the fastest of several calls, because other programs on the machine only make calls slower. */
async function costOf(server: RunningServer, operation: ModelOperation, body: WorstBody) {
  let ms = Number.POSITIVE_INFINITY;
  let bytes = 0;
  for (let call = 0; call < callsOfEach; call += 1) {
    const before = loopMs(server.pid);
    bytes = await send(server, operation, body);
    ms = Math.min(ms, loopMs(server.pid) - before);
  }
  return { ms, bytes };
}

async function memoryOf(bench: Bench, operation: ModelOperation, body: WorstBody): Promise<number> {
  const server = await bench.startServer('api');
  // Calls with a small body make the server load all its code before the measurement.
  const small = { what: 'small', text: '{"colour":"red"}' };
  for (let call = 0; call < 200; call += 1) await send(server, operation, small);
  const before = residentMiB(server.pid);
  await Promise.all(Array.from({ length: atOnce }, () => send(server, operation, body)));
  await sleep(3000);
  const staying = residentMiB(server.pid) - before;
  await server.stop();
  return staying;
}

async function send(server: RunningServer, operation: ModelOperation, { text }: WorstBody): Promise<number> {
  const path = operation.path.replaceAll(/\{\w+\}/g, (name) => (name === '{id}' ? newId() : 'order-1042'));
  const answer = await request(`${server.url}${path}`, {
    dispatcher: agent,
    method: operation.method.toUpperCase() as 'POST',
    headers: { 'content-type': 'application/json', ...headersOf(operation) },
    body: text,
  });
  const bytes = (await answer.body.arrayBuffer()).byteLength;
  // A call that an overloaded server answers with 503 also counts.
  if (answer.statusCode < 400 || (answer.statusCode >= 500 && answer.statusCode !== 503)) {
    throw new Error(`The server answered ${operation.id} with ${answer.statusCode}.`);
  }
  return bytes;
}

/** The first thread of a process runs its event loop. */
function loopMs(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}

async function credentials({ env }: Bench): Promise<(operation: ModelOperation) => Record<string, string>> {
  const server = await startTillhook(loadConfig({ ...env, ROLE: 'api', PORT: '0', LOG_LEVEL: 'silent' }));
  const { context } = server;
  const merchant = await arrangements.createMerchant(context, { name: 'Bench Store' });
  const session = async (role: 'administrator' | 'operator') => {
    const email = await arrangements.addUser(context, { merchantId: merchant.id, password: 'never used', role });
    return (await arrangements.openSession(context, { email })).token;
  };
  const [person, operator] = [await session('administrator'), await session('operator')];
  await server.stop();
  return ({ security: [schemes = []], roles }) => ({
    ...(schemes.includes('apiKeyHeader') && { 'x-api-key': merchant.testKey }),
    ...(schemes.includes('bearerAuth') && { authorization: `Bearer ${merchant.testKey}` }),
    ...(schemes.includes('dashboardSession') && {
      cookie: `tillhook_session=${roles.includes('administrator') ? person : operator}`,
      'x-service-mode': 'test',
    }),
  });
}
