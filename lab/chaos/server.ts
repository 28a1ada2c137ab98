import { spawnTillhook } from '@tillhook/test/support/server/process.ts';
import type { ExecutionContext } from 'ava';

export interface Server {
  url: string;
  pid: number;
  /** The application name of the server's connections to Postgres. The name changes at each start. */
  name: string;
  isAlive(): boolean;
  /** Stops the process with SIGSTOP, so that a scenario can read which deliveries the process has in flight. */
  freeze(): void;
  thaw(): void;
  kill(): Promise<void>;
  stop(): Promise<number | null>;
  restart(): Promise<void>;
}

interface Starting {
  log?: number | undefined;
  main?: string | undefined;
}

export async function startServer(
  running: AsyncDisposableStack,
  env: Record<string, string>,
  how: Starting = {},
): Promise<Server> {
  let current = await spawn(running, env, how);
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
    stop: () => current.stop(),
    async restart() {
      current = await spawn(running, env, how);
    },
  };
}

let started = 0;

async function spawn(running: AsyncDisposableStack, env: Record<string, string>, { log, main }: Starting) {
  const name = `chaos-${++started}`;
  const teardown = { teardown: (end: () => void) => running.defer(end) } as ExecutionContext;
  const child = spawnTillhook(teardown, { ...env, PGAPPNAME: name }, { ...(log !== undefined && { log }), main });
  let hasEnded = false;
  const ended = child.ended.then(({ code }) => {
    hasEnded = true;
    return code;
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
    stop() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}
