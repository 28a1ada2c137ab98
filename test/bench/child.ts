import { fork } from 'node:child_process';
import { once } from 'node:events';

/** A contender or a receiver of the benchmark's own, in a process of its own. It answers one question at a time. */
export interface Child {
  pid: number;
  /** What the process said once it was ready. */
  greeting: string;
  ask<Answer>(question: unknown): Promise<Answer>;
  stop(): Promise<void>;
}

/** Starts a file of this folder and waits for its greeting. */
export async function startChild(running: AsyncDisposableStack, file: string, args: string[] = []): Promise<Child> {
  const child = fork(new URL(file, import.meta.url), args, { env: { ...process.env, NODE_ENV: 'production' } });
  const ended = once(child, 'exit');
  const died = ended.then(([code]) => Promise.reject(new Error(`${file} ended with ${code}.`)));
  // Whoever waits for an answer hears of it; an end that nobody waits for is no failure.
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
