import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ExecutionContext } from 'ava';
import { eventually } from '../eventually.ts';

export const startFlags = [
  '--conditions=@tillhook/source',
  '--disable-warning=ExperimentalWarning',
  '--max-semi-space-size=32',
];
const ownMain = fileURLToPath(import.meta.resolve('@tillhook/server/bin/server.js'));

export interface TillhookProcess {
  pid: number;
  /** Resolves with the rest of the first line of standard output that begins with this word. */
  line(word: string): Promise<string>;
  logged(message: string): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  ended: Promise<{ code: number | null; stdout: string; stderr: string }>;
}

interface SpawnSettings {
  /** The working directory. */
  cwd?: string;
  /** With this file descriptor for standard error, standard error is not collected in memory. */
  log?: number;
  /** The path of the file `main.ts` of an earlier release. */
  main?: string;
}

/** Starts the server as `npm start` does, in a separate process that can be killed. */
export function spawnTillhook(
  t: Pick<ExecutionContext, 'teardown'>,
  env: Record<string, string>,
  { cwd, log, main = ownMain }: SpawnSettings = {},
): TillhookProcess {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env;
  const child = spawn(process.execPath, [...startFlags, main], {
    cwd,
    stdio: ['pipe', 'pipe', log ?? 'pipe'],
    env: { PATH, HOME, NODE_COMPILE_CACHE, PORT: '0', ...env },
  });
  const output = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.setEncoding('utf8').on('data', (text: string) => {
      output[stream] += text;
    });
  }
  const ended = new Promise<{ code: number | null } & typeof output>((resolve) => {
    child.on('close', (code) => resolve({ code, ...output }));
  });
  t.teardown(() => {
    if (child.exitCode === null) child.kill('SIGKILL');
  });
  const unlessEnded = <Found>(found: Promise<Found>) =>
    Promise.race([found, ended.then((end) => Promise.reject(new Error(end.stderr)))]);
  return {
    pid: child.pid ?? 0,
    line: (word) => unlessEnded(lineOf(child, output, word)),
    async logged(message) {
      await unlessEnded(
        eventually(
          () => output.stderr,
          (seen) => seen.includes(message),
        ),
      );
    },
    kill: (signal) => child.kill(signal),
    ended,
  };
}

function lineOf(child: ChildProcess, output: { stdout: string }, word: string): Promise<string> {
  return new Promise((resolve) => {
    const look = () => {
      const found = output.stdout
        .split('\n')
        .slice(0, -1)
        .find((line) => line.startsWith(word));
      if (found === undefined) return;
      child.stdout?.off('data', look);
      resolve(found.slice(word.length).trim());
    };
    child.stdout?.on('data', look);
    look();
  });
}
