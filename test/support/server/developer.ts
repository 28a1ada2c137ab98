import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ExecutionContext } from 'ava';
import { runDeveloperCommand } from '../../../developer/src/program.ts';
import { eventually } from '../eventually.ts';
import type { TestMerchant, TestServer } from './tillhook.ts';

const program = fileURLToPath(new URL('../../../mock/src/commands/developer.ts', import.meta.url));

export interface DeveloperEnd {
  code: number;
  stdout: string;
  stderr: string;
}

export interface RunningCommand {
  output: { stdout: string; stderr: string };
  printed(wanted: string | RegExp): Promise<void>;
  interrupt(): void;
  ended: Promise<DeveloperEnd>;
}

/** `columns` is the width of the terminal; without `columns`, the output is not a terminal. */
interface Start {
  env: Environment;
  args?: string[];
  columns?: number;
}

type Environment = Readonly<Record<string, string>>;

export function environmentOf(
  { url }: Pick<TestServer, 'url'>,
  { testKey }: Pick<TestMerchant, 'testKey'>,
): Environment {
  return { TILLHOOK_BASE_URL: url, TILLHOOK_API_KEY: testKey };
}

export function runDeveloper(env: Environment, ...args: string[]): Promise<DeveloperEnd> {
  return startDeveloper({ env, args }).ended;
}

export function startDeveloper({ env, args = [], columns }: Start): RunningCommand {
  const output = { stdout: '', stderr: '' };
  const into = (stream: keyof typeof output) => ({
    ...(columns && { columns, isTTY: true }),
    write(text: string) {
      output[stream] += text;
    },
  });
  const interrupting = new AbortController();
  const environment = { env, stdout: into('stdout'), stderr: into('stderr'), interrupted: interrupting.signal };
  const ended = runDeveloperCommand(args, environment).then((code) => ({ code, ...output }));
  return {
    output,
    printed: (wanted) => waitForOutput(output, wanted),
    interrupt: () => interrupting.abort(),
    ended,
  };
}

export async function startListen(t: ExecutionContext, { env, args = [], columns }: Start): Promise<RunningCommand> {
  const command = startDeveloper({ env, args: ['listen', ...args], ...(columns && { columns }) });
  t.teardown(async () => {
    command.interrupt();
    await command.ended;
  });
  await Promise.race([command.printed(/Listening|"type":"ready"/), command.ended]);
  return command;
}

interface DeveloperProcess extends RunningCommand {
  child: ChildProcess;
}

/** Runs a developer's command as a separate process, for tests of signals and pipes. */
export function spawnDeveloper(t: ExecutionContext, env: Environment, ...args: string[]): DeveloperProcess {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env;
  const child = spawn(process.execPath, ['--conditions=@tillhook/source', program, ...args], {
    env: { PATH, HOME, NODE_COMPILE_CACHE, ...env },
  });
  t.teardown(() => child.kill('SIGKILL'));
  const output = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      output[stream] += text;
    });
  }
  const ended = new Promise<DeveloperEnd>((resolve) =>
    child.on('close', (code) => resolve({ code: code ?? -1, ...output })),
  );
  return {
    child,
    output,
    printed: (wanted) => waitForOutput(output, wanted),
    interrupt: () => child.kill('SIGINT'),
    ended,
  };
}

async function waitForOutput(output: { stdout: string }, wanted: string | RegExp): Promise<void> {
  await eventually(
    () => output.stdout,
    (text) => (typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text)),
  );
}
