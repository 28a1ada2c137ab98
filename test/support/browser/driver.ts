/**
 * The interface through which tests use Firefox and WebKit, as a person with one tab. Each browser has its own
 * protocol. Both protocols describe the actions of mouse and keyboard in the same format.
 * See docs/decisions/tests.md, "Firefox and WebKit are driven without a library".
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

export interface Driver {
  goto(url: string): Promise<unknown>;
  back(): Promise<unknown>;
  /** Evaluates an expression and returns its value as JSON. If the value is a promise, waits for it. */
  evaluate(expression: string): Promise<unknown>;
  /** Performs actions of mouse and keyboard, in the format that both protocols share. */
  perform(actions: readonly object[]): Promise<unknown>;
  /** Returns a screenshot in base64. */
  picture(): Promise<string>;
  close(): Promise<unknown>;
}

/** A running browser. Its tabs share no cookies and no storage. */
export interface RunningBrowser extends AsyncDisposable {
  version: string;
  openTab(): Promise<Driver>;
}

export const screen = { width: 1280, height: 900 };

export const asJson = (expression: string) => `Promise.resolve(${expression}).then((value) => JSON.stringify(value))`;
export const fromJson = (json: string | null | undefined) => (json ? JSON.parse(json) : undefined);

/** Creates the home folder of a browser. The folder is removed when the browser is disposed of. */
export function temporaryHome(started: AsyncDisposableStack): string {
  const folder = mkdtempSync(join(tmpdir(), 'tillhook-browser-'));
  // A browser that is exiting may still write files, so removing the folder is retried.
  started.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

interface Program {
  path: string;
  args: readonly string[];
  env?: NodeJS.ProcessEnv;
}

/**
 * Starts a program, which stops when `started` is disposed of. The program also stops when this process ends for any
 * reason, because ava kills the process of a test file that takes too long. The program's file descriptor 3 is a pipe
 * too.
 */
export function startProgram(started: AsyncDisposableStack, { path, args, env }: Program): ChildProcess {
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', '--', path, ...args], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()).once('error', () => resolve()));
  started.defer(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return child;
}

/**
 * Waits until the program prints text that matches the pattern. If the program exits first, the error contains its
 * output.
 */
export function waitForPrinted(child: ChildProcess, channel: 2 | 3, pattern: RegExp): Promise<RegExpExecArray> {
  let printed = '';
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`${child.spawnargs.join(' ')} exited before it was ready: ${printed}`)));
    (child.stdio[channel] as Readable).on('data', (chunk) => {
      printed += chunk;
      const found = pattern.exec(printed);
      if (found) resolve(found);
    });
  });
}
