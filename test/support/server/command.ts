import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { runCommand } from '@tillhook/server/src/cli/main.ts';

const command = fileURLToPath(new URL('../../../server/bin/tillhook.js', import.meta.url));

export interface CommandEnd {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a command of `npx tillhook` in the process of the test, for tests of what it does and prints. */
export async function runTillhook(env: Record<string, string>, ...args: string[]): Promise<CommandEnd> {
  return runAt({}, env, ...args);
}

/** Runs it as at a terminal of this many columns, which receives both outputs. */
export async function runAtTerminal(columns: number, env: Record<string, string>, ...args: string[]) {
  return runAt({ isTTY: true, columns }, env, ...args);
}

async function runAt(terminal: object, env: Record<string, string>, ...args: string[]): Promise<CommandEnd> {
  const printed = { stdout: '', stderr: '' };
  const into = (stream: keyof typeof printed) => ({
    ...terminal,
    write(text: string) {
      printed[stream] += text;
    },
  });
  // Many tests share the machine, and a slow database must not fail one.
  const patient = { DATABASE_CONNECT_TIMEOUT_MS: '30000', ...env };
  const code = await runCommand(args, { env: patient, stdout: into('stdout'), stderr: into('stderr') });
  return { code, ...printed };
}

/** Runs `npx tillhook` as a separate process, for tests of how it ends or of what happens when it is killed. */
export function spawnCommand(env: Record<string, string>, ...args: string[]) {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env;
  const child = spawn(process.execPath, [command, ...args], { env: { PATH, HOME, NODE_COMPILE_CACHE, ...env } });
  const output = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      output[stream] += text;
    });
  }
  const ended = new Promise<CommandEnd>((resolve) => child.on('close', (code) => resolve({ code, ...output })));
  return { pid: child.pid, ended, kill: () => child.kill('SIGKILL') };
}
