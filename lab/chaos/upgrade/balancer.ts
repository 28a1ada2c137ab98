import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@tillhook/test/support/network/free-port.ts';
import { opsPath } from '@tillhook/test/support/ops/ops-files.ts';

/** The proxy before several API processes. */
export interface Balancer {
  url: string;
  /** The number of calls that it answered. */
  answered(): number;
  /** The log line of each call whose answer was 500 or higher, or that got no answer. */
  failures: readonly string[];
}

interface Settings {
  program: string;
  /** The ports at which there are API processes, now or later. */
  ports: readonly number[];
}

const patienceMs = 30_000;
const pauseMs = 100;
/** Of the warnings of HAProxy. */
const keptCharacters = 2000;
/** The status in a line of the log that the configuration defines: after the backend, the server and the times. */
const statusOf = /^\S+:\d+ \S+\/\S+ (?:-?\d+\/){4}[+-]?\d+ (-?\d+) /;

/**
 * Starts HAProxy with the configuration of `compose.yaml`. Only the addresses differ: the processes have ports of this
 * machine in place of names in the network of Docker.
 */
export async function startBalancer(running: AsyncDisposableStack, { program, ports }: Settings): Promise<Balancer> {
  const home = mkdtempSync(join(tmpdir(), 'tillhook-haproxy-'));
  running.defer(() => rmSync(home, { recursive: true, force: true }));
  const address = `127.0.0.1:${await freePort()}`;
  const file = join(home, 'haproxy.cfg');
  writeFileSync(file, balancerConfiguration(address, ports));
  // With `-q`, HAProxy 2.6 writes no log of calls.
  const child = spawn(program, ['-db', '-f', file], { stdio: ['ignore', 'pipe', 'pipe'] });
  let warnings = '';
  child.stderr.on('data', (text) => {
    warnings = `${warnings}${text}`.slice(-keptCharacters);
  });
  const ended = once(child, 'exit');
  running.defer(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const failures: string[] = [];
  let answered = 0;
  createInterface(child.stdout).on('line', (line) => {
    const failed = isFailure(line);
    if (failed === null) return;
    answered += 1;
    if (failed) failures.push(line);
  });
  await waitUntilReady(`http://${address}/readyz`).catch((cause) => {
    throw new Error(`HAProxy: ${warnings}`, { cause });
  });
  // The calls of before were its start.
  failures.length = 0;
  answered = 0;
  return { url: `http://${address}`, answered: () => answered, failures };
}

/** Whether this line of the log is a call that was answered 500 or higher, or not at all. Null if it is no call. */
export function isFailure(line: string): boolean | null {
  const found = statusOf.exec(line);
  if (!found) return null;
  const status = Number(found[1]);
  return status >= 500 || status < 100;
}

export function balancerConfiguration(address: string, ports: readonly number[]): string {
  const servers = ports.map((port, index) => `server api-${index + 1} 127.0.0.1:${port}`).join('\n  ');
  const changes: [string | RegExp, string][] = [
    ['bind :8080', `bind ${address}`],
    [/resolvers docker\n(?: .*\n)+/, ''],
    [/ resolvers docker init-addr none/g, ''],
    [/server-template .*/g, servers],
  ];
  return changes.reduce(
    (text, [found, changed]) => {
      if (text.search(found) < 0) throw new Error(`ops/compose/haproxy.cfg has no ${found} any more.`);
      return text.replace(found, changed);
    },
    readFileSync(opsPath('compose/haproxy.cfg'), 'utf8'),
  );
}

/** Waits until an answer comes, and then until the checks have found the ports without a process. */
async function waitUntilReady(url: string): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while ((await fetch(url).catch(() => null))?.status !== 200) {
    if (Date.now() > deadline) throw new Error('HAProxy finds no process that is ready.');
    await sleep(pauseMs);
  }
  await sleep(checksMs);
}

/** Two checks, a second apart. */
const checksMs = 3000;
