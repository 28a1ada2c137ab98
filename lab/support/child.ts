import { fork } from 'node:child_process';
import { once } from 'node:events';
import { basename } from 'node:path';
import { startFlags } from '@tillhook/test/support/server/process.ts';

/** A child process of the benchmark: a contender or a receiver. The process answers one request at a time. */
export interface Child {
  pid: number;
  /** The first message of the process, which it sends when it is ready. */
  greeting: string;
  ask<Answer>(question: unknown): Promise<Answer>;
  stop(): Promise<void>;
}

interface ChildSettings {
  args?: string[];
  /** A file descriptor for standard error. */
  log?: number | 'inherit';
}

/** Starts the program at this path, with the Node flags of the server, and waits for the greeting of the program. */
export async function startChild(
  running: AsyncDisposableStack,
  address: string,
  { args = [], log = 'inherit' }: ChildSettings = {},
): Promise<Child> {
  const env = { ...process.env, NODE_ENV: 'production' };
  const child = fork(new URL(address), args, {
    env,
    execArgv: startFlags,
    stdio: ['inherit', 'inherit', log, 'ipc'],
  });
  const ended = once(child, 'exit');
  const died = ended.then(([code]) => Promise.reject(new Error(`${basename(address)} ended with ${code}.`)));
  // Only a caller that waits for an answer gets this error. If no caller waits, the end of the process is not a
  // failure.
  died.catch(() => {});
  const answer = async () => (await Promise.race([once(child, 'message'), died]))[0];
  async function stop(): Promise<void> {
    child.kill('SIGKILL');
    await ended;
  }
  running.defer(stop);
  return {
    pid: child.pid ?? 0,
    greeting: await answer(),
    ask(question) {
      const answered = answer();
      child.send(question as object);
      return answered;
    },
    stop,
  };
}

/** Starts `receiver.ts`. With a signing secret, the receiver verifies each webhook. */
export function startReceiver(running: AsyncDisposableStack, secret?: string): Promise<Child> {
  return startChild(running, import.meta.resolve('./receiver.ts'), { args: secret ? [secret] : [] });
}
