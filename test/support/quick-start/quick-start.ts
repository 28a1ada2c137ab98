/** The programs have the file names and commands that readers see. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { languages, type Program, wholeProgram } from '../../../docs/quick-start/languages.ts';
import { missingLanguages } from '../programs/installed-programs.ts';

export const quickStartFolder = fileURLToPath(new URL('../../../docs/quick-start/', import.meta.url));

export const receiverFiles: Record<string, string> = Object.fromEntries(
  languages.map(({ receiver: { path } }) => [path, readFileSync(quickStartFolder + path, 'utf8')]),
);

export interface Ended {
  status: number | null;
  stdout: string;
  stderr: string;
}

export async function runToEnd(command: readonly string[], cwd: string, env: Environment = {}): Promise<Ended> {
  const child = start(command, cwd, env);
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { status, stdout, stderr };
}

export interface Running {
  printed: () => string;
}

export function runUntilEnd(t: ExecutionContext, saved: Saved, env: Environment): Running {
  const child = start(saved.command, saved.folder, env);
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (printed += part));
  t.teardown(async () => {
    if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'close');
  });
  return { printed: () => printed };
}

export interface Saved {
  folder: string;
  command: string[];
}

/** `go run` does not end its child process, and `java` compiles at every start, so Go and Java are compiled first. */
export async function save({ path, file, run }: Program, folder: string): Promise<Saved> {
  writeFileSync(join(folder, file), wholeProgram(readFileSync(quickStartFolder + path, 'utf8')));
  if (file === 'Receiver.java') {
    await compile(['javac', file], folder);
    return { folder, command: ['java', '-cp', folder, 'Receiver'] };
  }
  if (!file.endsWith('.go')) return { folder, command: run.split(' ') };
  await compile(['go', 'build', '-o', 'program', file], folder);
  return { folder, command: [join(folder, 'program')] };
}

async function compile(command: readonly string[], folder: string): Promise<void> {
  const { status, stderr } = await runToEnd(command, folder);
  if (status !== 0) throw new Error(stderr);
}

/** The folder is inside this repository, so that a program in TypeScript finds the SDK. */
export function folderFor({ teardown }: Pick<ExecutionContext, 'teardown'>): string {
  const reports = fileURLToPath(new URL('../../../reports/', import.meta.url));
  mkdirSync(reports, { recursive: true });
  const folder = mkdtempSync(join(reports, 'quick-start-'));
  teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

type Environment = Readonly<Record<string, string>>;

function start([program = '', ...args]: readonly string[], cwd: string, env: Environment) {
  return spawn(program === 'node' ? process.execPath : program, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      NODE_OPTIONS: '--conditions=@tillhook/source',
      PYTHONDONTWRITEBYTECODE: '1',
      ...env,
    },
  });
}

export function onLanguage(language: string): typeof test.serial | typeof test.serial.skip {
  return missingLanguages().includes(language) ? test.serial.skip : test.serial;
}
