import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

export interface Command {
  command: string;
  args: readonly string[];
  cwd: string;
  env?: Record<string, string>;
}

export interface Service {
  output(): string;
  stop(): Promise<void>;
}

const running = new Set<ChildProcess>();

export async function run(command: Command, timeoutMs = 6 * 60_000): Promise<string> {
  const { child, output } = launch(command);
  const timer = setTimeout(() => endGroup(child, 'SIGKILL'), timeoutMs);
  const [code, signal] = await once(child, 'close').finally(() => clearTimeout(timer));
  if (code === 0) return output();
  throw new Error(`${[command.command, ...command.args].join(' ')} ended with ${signal ?? code}:\n${output()}`);
}

export async function start(command: Command, url: string): Promise<Service> {
  const { child, output } = launch(command);
  const ended = once(child, 'close');
  const service: Service = {
    output,
    stop: async () => {
      if (!running.has(child)) return;
      endGroup(child, 'SIGTERM');
      const timer = setTimeout(() => endGroup(child, 'SIGKILL'), 5000);
      await ended.finally(() => clearTimeout(timer));
    },
  };
  try {
    await Promise.race([
      waitForAnswer(url),
      ended.then(() => Promise.reject(new Error(`${command.command} ended:\n${output()}`))),
    ]);
    return service;
  } catch (error) {
    await service.stop();
    throw error;
  }
}

export function endAll(): void {
  for (const child of running) endGroup(child, 'SIGKILL');
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('The server has no port, although it listens.');
  return address.port;
}

// npm and Next start child processes that do not end with their parents, so the program gets its own process group.
function launch({ command, args, cwd, env }: Command): { child: ChildProcess; output: () => string } {
  const child = spawn(command, args, {
    cwd,
    env: { ...outsideEnvironment(), ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  }
  running.add(child);
  child.on('close', () => running.delete(child));
  return { child, output: () => text };
}

/** npm sets environment variables for scripts of this repository, which would affect npm in other projects. */
function outsideEnvironment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(npm_(lifecycle|package)_|npm_config_local_prefix$|NODE_OPTIONS$|NODE_ENV$)/.test(name),
  );
  return { ...Object.fromEntries(inherited), NEXT_TELEMETRY_DISABLED: '1', TURBO_TELEMETRY_DISABLED: '1' };
}

async function waitForAnswer(url: string): Promise<void> {
  const givenUpAt = Date.now() + 90_000;
  for (;;) {
    const answered = await fetch(url, { signal: AbortSignal.timeout(30_000) }).catch(() => null);
    if (answered) return;
    if (Date.now() > givenUpAt) throw new Error(`The program did not answer at ${url} in time.`);
    await wait(50);
  }
}

function endGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The process has already ended.
  }
}
