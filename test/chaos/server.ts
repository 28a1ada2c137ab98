import type { ExecutionContext } from 'ava';
import { spawnTillhook } from '../support/server/process.ts';

/** The real server as a process, which a scenario may kill and start again. */
export interface Server {
  url: string;
  pid: number;
  /** Its application name in Postgres, a new one after each start. */
  name: string;
  /** Whether it lives and was never started again but by `restart`. */
  isAlive(): boolean;
  /** Stops the process by SIGSTOP, so that what it has in flight can be read. It can be killed in this state. */
  freeze(): void;
  thaw(): void;
  kill(): Promise<void>;
  /** Starts another in its place, with the same settings. */
  restart(): Promise<void>;
}

/** Starts one and waits until it serves. It is killed at the end: what a scenario is about has happened by then. */
export async function startServer(running: AsyncDisposableStack, env: Record<string, string>): Promise<Server> {
  let current = await spawn(running, env);
  return {
    get url() {
      return current.url;
    },
    get pid() {
      return current.pid;
    },
    get name() {
      return current.name;
    },
    isAlive: () => current.isAlive(),
    freeze: () => process.kill(current.pid, 'SIGSTOP'),
    thaw: () => process.kill(current.pid, 'SIGCONT'),
    kill: () => current.kill(),
    async restart() {
      current = await spawn(running, env);
    },
  };
}

let started = 0;

async function spawn(running: AsyncDisposableStack, env: Record<string, string>) {
  const name = `chaos-${++started}`;
  const teardown = { teardown: (end: () => void) => running.defer(end) } as ExecutionContext;
  const child = spawnTillhook(teardown, { ...env, PGAPPNAME: name });
  let hasEnded = false;
  const ended = child.ended.then(() => {
    hasEnded = true;
  });
  running.defer(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const url = await child.line('api ');
  await child.line('ready');
  return {
    url: new URL(url).origin,
    pid: child.pid,
    name,
    isAlive: () => !hasEnded,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
