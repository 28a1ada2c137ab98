import { fork } from 'node:child_process';
import { once } from 'node:events';
import { basename } from 'node:path';
import { startFlags } from '@tillhook/test/support/server/process.ts';

export interface Child {
  pid: number;
  greeting: string;
  ask<Answer>(question: unknown): Promise<Answer>;
  stop(): Promise<void>;
}

interface ChildSettings {
  args?: string[];
  log?: number | 'inherit';
}

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
  // The end of the process is a failure only for a caller that waits for an answer.
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

export function startReceiver(running: AsyncDisposableStack, secret?: string): Promise<Child> {
  return startChild(running, import.meta.resolve('./receiver.ts'), { args: secret ? [secret] : [] });
}
