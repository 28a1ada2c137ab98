import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@tillhook/test/support/network/free-port.ts';
import { opsPath } from '@tillhook/test/support/ops/ops-files.ts';

export interface Balancer {
  url: string;
  answered(): number;
  failures: readonly string[];
}

interface Settings {
  program: string;
  ports: readonly number[];
}

const patienceMs = 30_000;
const pauseMs = 100;
const keptCharacters = 2000;
const statusOf = /^\S+:\d+ \S+\/\S+ (?:-?\d+\/){4}[+-]?\d+ (-?\d+) /;

/** Only the addresses differ from `compose.yaml`: the processes have local ports instead of Docker's names. */
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
    throw new Error(`HAProxy did not start. Its warnings: ${warnings}`, { cause });
  });
  // Failures of calls during the start of HAProxy do not count.
  failures.length = 0;
  answered = 0;
  return { url: `http://${address}`, answered: () => answered, failures };
}

/** Returns null if the log line is not about a call. */
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
      if (text.search(found) < 0) throw new Error(`ops/compose/haproxy.cfg does not contain ${found}.`);
      return text.replace(found, changed);
    },
    readFileSync(opsPath('compose/haproxy.cfg'), 'utf8'),
  );
}

async function waitUntilReady(url: string): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while ((await fetch(url).catch(() => null))?.status !== 200) {
    if (Date.now() > deadline) throw new Error('HAProxy found no ready process.');
    await sleep(pauseMs);
  }
  await sleep(checksMs);
}

/** The duration of two health checks, which run every second. */
const checksMs = 3000;
