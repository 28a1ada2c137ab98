import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const command = fileURLToPath(new URL('../../server/bin/tillhook.js', import.meta.url));

export interface CommandEnd {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs `npx tillhook` with these arguments, as a process of its own. */
export function runTillhook(env: Record<string, string>, ...args: string[]): Promise<CommandEnd> {
  return startTillhook(env, ...args).ended;
}

/** The same, to be killed before it ends. */
export function startTillhook(env: Record<string, string>, ...args: string[]) {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env;
  const child = spawn(process.execPath, [command, ...args], { env: { PATH, HOME, NODE_COMPILE_CACHE, ...env } });
  const output = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      output[stream] += text;
    });
  }
  const ended = new Promise<CommandEnd>((resolve) => child.on('close', (code) => resolve({ code, ...output })));
  return { ended, kill: () => child.kill('SIGKILL') };
}
