import { closeSync, createReadStream, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { spawnTillhook } from '@tillhook/test/support/server/process.ts';
import type { ExecutionContext } from 'ava';

export type Role = 'api' | 'worker' | 'all';

export interface RunningServer {
  url: string;
  pid: number;
  /** Prints the warnings of the process, because the figures of a faulty process are worthless. */
  stop(): Promise<void>;
}

interface ServerSettings {
  env: Record<string, string>;
  /** With a pipe instead of a log file, this process would use CPU time during the measurement. */
  home: string;
  running: AsyncDisposableStack;
}

let started = 0;

export async function startServer({ env, home, running }: ServerSettings): Promise<RunningServer> {
  const teardown = { teardown: (end: () => void) => running.defer(end) } as ExecutionContext;
  const log = join(home, `server-${++started}.log`);
  const file = openSync(log, 'a');
  const server = spawnTillhook(teardown, env, { log: file });
  closeSync(file);
  const ready = async () => [await server.line('api '), await server.line('ready')] as const;
  const [url] = await ready().catch(async (error) => {
    throw new Error(`The ${env.ROLE} process did not start.\n${await troubleIn(log)}`, { cause: error });
  });
  return {
    url,
    pid: server.pid,
    async stop() {
      server.kill('SIGTERM');
      const { code } = await server.ended;
      const trouble = await troubleIn(log);
      rmSync(log);
      if (code !== 0) throw new Error(`The ${env.ROLE} process ended with ${code}.\n${trouble}`);
      if (trouble) console.error(`The ${env.ROLE} process printed warnings:\n${trouble}`);
    },
  };
}

async function troubleIn(log: string): Promise<string> {
  const lines: string[] = [];
  for await (const line of createInterface({ input: createReadStream(log) }))
    if (!/^\{"level":[123]0,/.test(line)) lines.push(line);
  return lines.join('\n');
}
