/**
 * The interface of Firefox and WebKit in tests: a person with one tab. Each browser is driven by its own protocol. Both
 * protocols take the same actions of mouse and keyboard.
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
  /** Evaluates an expression, and returns its value as JSON. Waits for a promise. */
  evaluate(expression: string): Promise<unknown>;
  /** Performs actions of mouse and keyboard, in the form that both protocols have. */
  perform(actions: readonly object[]): Promise<unknown>;
  /** A screenshot in base64. */
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

/** Creates the home folder of a browser. It is removed with the browser. */
export function temporaryHome(started: AsyncDisposableStack): string {
  const folder = mkdtempSync(join(tmpdir(), 'tillhook-browser-'));
  // A browser that is exiting may still write a file.
  started.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

interface Program {
  path: string;
  args: readonly string[];
  env?: NodeJS.ProcessEnv;
}

/**
 * Starts a program that is stopped with `started`. It also stops when this process ends in any way, because ava kills
 * the process of a file that takes too long. Its fourth channel is a pipe too.
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

/** Waits until the program prints text that matches. If the program ends first, the error contains its output. */
export function waitForPrinted(child: ChildProcess, channel: 2 | 3, pattern: RegExp): Promise<RegExpExecArray> {
  let printed = '';
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`${child.spawnargs.join(' ')} exited too early: ${printed}`)));
    (child.stdio[channel] as Readable).on('data', (chunk) => {
      printed += chunk;
      const found = pattern.exec(printed);
      if (found) resolve(found);
    });
  });
}
