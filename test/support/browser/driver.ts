/**
 * Firefox and WebKit have different protocols, which describe mouse and keyboard in the same format.
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
  evaluate(expression: string): Promise<unknown>;
  perform(actions: readonly object[]): Promise<unknown>;
  /** Returns a screenshot in base64. */
  picture(): Promise<string>;
  close(): Promise<unknown>;
}

/** The tabs of a browser share no cookies and no storage. */
export interface RunningBrowser extends AsyncDisposable {
  version: string;
  openTab(): Promise<Driver>;
}

export const screen = { width: 1280, height: 900 };

export const asJson = (expression: string) => `Promise.resolve(${expression}).then((value) => JSON.stringify(value))`;
export const fromJson = (json: string | null | undefined) => (json ? JSON.parse(json) : undefined);

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

/** The program also stops when this process ends, because ava kills the process of a test file that takes too long. */
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
