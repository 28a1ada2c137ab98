/** Starts the measured servers, each as a separate process, with the Node flags and the log of `npm start`. */
import { closeSync, createReadStream, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { spawnTillhook } from '@tillhook/test/support/server/process.ts';
import type { ExecutionContext } from 'ava';

export type Role = 'api' | 'worker' | 'all';

export interface RunningServer {
  url: string;
  pid: number;
  /** Stops the process, and prints its warnings, because the figures of a faulty process are worthless. */
  stop(): Promise<void>;
}

interface ServerSettings {
  env: Record<string, string>;
  /**
   * The directory of the log. With a pipe instead of a file, this process would use processor time of the measurement.
   */
  home: string;
  /** Stops the process if the measurement fails. */
  running: AsyncDisposableStack;
}

let started = 0;

/** Starts the server and waits until it is ready. */
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

/**
 * Returns the lines of the log above the level `info`, and the lines that are not JSON. Millions of other lines are
 * skipped.
 */
async function troubleIn(log: string): Promise<string> {
  const lines: string[] = [];
  for await (const line of createInterface({ input: createReadStream(log) }))
    if (!/^\{"level":[123]0,/.test(line)) lines.push(line);
  return lines.join('\n');
}
