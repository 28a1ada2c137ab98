import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type CommandEnd, runCommandInRun } from '../shared-fixtures.ts';

const command = fileURLToPath(new URL('../../../server/bin/tillhook.js', import.meta.url));

export async function runTillhook(env: Record<string, string>, ...args: string[]): Promise<CommandEnd> {
  return runCommandInRun({ terminal: {}, env, args });
}

export async function runAtTerminal(columns: number, env: Record<string, string>, ...args: string[]) {
  return runCommandInRun({ terminal: { isTTY: true, columns }, env, args });
}

/** Runs `npx tillhook` as a separate process, for tests that kill the command or check how it ends. */
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
