import { fork } from 'node:child_process';
import { once } from 'node:events';
import { startFlags } from '../support/server/process.ts';

/** A process of the benchmark: a contender or a receiver. It answers one question at a time. */
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

/** Starts a file of this folder, with the flags that the server has, and waits for its greeting. */
export async function startChild(
  running: AsyncDisposableStack,
  file: string,
  { args = [], log = 'inherit' }: ChildSettings = {},
): Promise<Child> {
  const env = { ...process.env, NODE_ENV: 'production' };
  const child = fork(new URL(file, import.meta.url), args, {
    env,
    execArgv: startFlags,
    stdio: ['inherit', 'inherit', log, 'ipc'],
  });
  const ended = once(child, 'exit');
  const died = ended.then(([code]) => Promise.reject(new Error(`${file} ended with ${code}.`)));
  // A caller that waits for an answer gets this error. If no caller waits, the end of the process is no failure.
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
