import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ExecutionContext } from 'ava';
import { eventually } from '../eventually.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const scripts: Record<string, string> = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts;
const curl = fileURLToPath(new URL('curl.ts', import.meta.url));

/** With this option, the output streams of Node have the properties of a terminal of this width. */
const atTerminal = (columns: number) =>
  `--import=data:text/javascript,for(const%20s%20of[process.stdout,process.stderr])Object.assign(s,{isTTY:true,columns:${columns},getColorDepth:()=>1})`;

export interface Typed {
  output(): string;
  printed(pattern: RegExp): Promise<void>;
  interrupt(): void;
  kill(): void;
  ended: Promise<number>;
}

export interface Shell {
  /** Starts a command line. */
  type(line: string, options?: { env?: Record<string, string>; columns?: number }): Typed;
  folder: string;
}

/**
 * npm takes half a second for each command, so its scripts run directly. Some machines have no `curl`, so the shell has
 * a `curl` of the tests.
 */
export function openShell(t: ExecutionContext, env: Record<string, string>): Shell {
  const folder = mkdtempSync(join(tmpdir(), 'tillhook-first-hour-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const programs = programsIn(folder);
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env;
  const usual = { PATH: programs + delimiter + PATH, HOME, NODE_COMPILE_CACHE, NO_COLOR: '1', ...env };
  return {
    folder,
    type(line, { env: more = {}, columns = 110 } = {}) {
      const child = spawn('sh', ['-c', `exec 2>&1; ${withScripts(line)}`], {
        cwd: root,
        env: { ...usual, ...more, NODE_OPTIONS: atTerminal(columns) },
        stdio: ['ignore', 'pipe', 'inherit'],
        // `detached` starts a process group, so that an interrupt reaches all processes of the command line.
        detached: true,
      });
      t.teardown(() => signal(child, 'SIGKILL'));
      return reading(child);
    },
  };
}

function reading(child: ChildProcess): Typed {
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  return {
    output: () => output,
    printed: async (pattern) => {
      await eventually(
        () => output,
        (text) => pattern.test(text),
      );
    },
    interrupt: () => signal(child, 'SIGINT'),
    kill: () => signal(child, 'SIGKILL'),
    ended: new Promise((resolve) => child.on('close', (code) => resolve(code ?? -1))),
  };
}

function signal({ pid }: ChildProcess, name: NodeJS.Signals): void {
  try {
    if (pid) process.kill(-pid, name);
  } catch {
    // The process has already ended.
  }
}

function programsIn(folder: string): string {
  const programs = mkdtempSync(join(folder, 'programs-'));
  symlinkSync(process.execPath, join(programs, 'node'));
  writeFileSync(join(programs, 'curl'), `#!/bin/sh\nexec "${process.execPath}" --no-warnings "${curl}" "$@"\n`);
  chmodSync(join(programs, 'curl'), 0o755);
  return programs;
}

function withScripts(line: string): string {
  return line
    .replaceAll(/npm run ([\w:]+)(?: --)?/g, (_, name: string) => scripts[name] ?? `false "no script ${name}"`)
    .replaceAll('npm start', scripts.start ?? '');
}
