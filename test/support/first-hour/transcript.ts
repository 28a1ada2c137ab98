import type { ExecutionContext } from 'ava';
import { eventually } from '../eventually.ts';
import type { NormalForm } from './normal-form.ts';
import { openShell, type Typed } from './terminal.ts';

export interface OpenTerminal {
  shows(pattern: RegExp): Promise<void>;
  /** Presses Ctrl-C, and records the output until the command ends. */
  interrupt(): Promise<void>;
  /** Kills the command with SIGKILL, and records nothing. */
  kill(): Promise<void>;
  /** Presses Ctrl-C, and records nothing. */
  end(): Promise<void>;
  output(): string;
  /** Records the new output. */
  look(): void;
}

export interface Typing {
  env?: Record<string, string>;
  columns?: number;
}

interface Opening extends Typing {
  ready: RegExp;
  without?: RegExp;
}

export interface Transcript {
  chapter(title: string): void;
  say(text: string): void;
  /** Sets a variable for all later commands, and records nothing. */
  set(name: string, value: string): void;
  assign(name: string, command: string): Promise<void>;
  run(command: string, typing?: Typing): Promise<string>;
  open(name: string, command: string, opening: Opening): Promise<OpenTerminal>;
  /** Records a text unchanged. */
  note(text: string): void;
  /** The folder for files that a person would save. Recorded commands show this folder as `captured/`. */
  folder: string;
  text(): string;
}

export function createTranscript(t: ExecutionContext, normal: NormalForm, env: Record<string, string>): Transcript {
  const shell = openShell(t, env);
  const lines: string[] = [];
  const write = (text: string) => lines.push(normal(text).replaceAll(/[ \t]+$/gm, ''));
  const type = (command: string, { env: more, columns }: Typing) =>
    shell.type(inThisRun(command, normal, shell.folder), { env: { ...env, ...more }, ...(columns && { columns }) });
  return {
    folder: shell.folder,
    chapter: (title) => write(`\n\n${title}\n${'='.repeat(title.length)}\n`),
    say: (text) => write(`\n${wrapped(text).replaceAll(/^/gm, '# ')}\n\n`),
    note: (text) => write(`${text}\n`),
    text: () =>
      `${lines
        .join('')
        .replaceAll(/\n{3,}/g, '\n\n')
        .trim()}\n`,
    set(name, value) {
      env[name] = value;
    },
    async assign(name, command) {
      const typed = type(command, {});
      if ((await typed.ended) !== 0) throw new Error(`${command}\n${typed.output()}`);
      env[name] = typed.output().trim();
      write(`$ export ${name}=$(${command})\n`);
    },
    async run(command, typing = {}) {
      const typed = type(command, typing);
      const code = await typed.ended;
      write(`$ ${command}\n${withEnd(typed.output())}${code === 0 ? '' : `(exit code ${code})\n`}`);
      return typed.output();
    },
    async open(name, command, { ready, without, ...typing }) {
      const typed = type(command, typing);
      await typed.printed(ready);
      write(`[${name}] $ ${command}\n`);
      const shown = { ...typed, output: () => withoutLines(typed.output(), without) };
      return openTerminal(name, shown, write);
    },
  };
}

function openTerminal(name: string, typed: Typed, write: (text: string) => void): OpenTerminal {
  let seen = 0;
  const writeNew = () => {
    const text = typed.output().slice(seen);
    seen += text.length;
    write(withEnd(text));
  };
  const look = () => {
    write(`[${name}]\n`);
    writeNew();
  };
  writeNew();
  return {
    output: typed.output,
    look,
    async shows(pattern) {
      await eventually(
        () => typed.output().slice(seen),
        (text) => pattern.test(text) && text.endsWith('\n'),
      );
      look();
    },
    async interrupt() {
      typed.interrupt();
      await typed.ended;
      write(`[${name}] Ctrl-C\n`);
      writeNew();
    },
    async end() {
      typed.interrupt();
      await typed.ended;
    },
    async kill() {
      typed.kill();
      await typed.ended;
    },
  };
}

const withoutLines = (text: string, pattern: RegExp | undefined) =>
  pattern
    ? text
        .split(/(?<=\n)/)
        .filter((line) => !pattern.test(line))
        .join('')
    : text;

const inThisRun = (command: string, normal: NormalForm, folder: string) =>
  normal.typed(command).replaceAll('captured/', `${folder}/`);

const withEnd = (text: string) => (text === '' || text.endsWith('\n') ? text : `${text}\n`);

/** Wraps lines at 100 characters. */
const wrapped = (text: string) => text.replaceAll(/(.{1,100})(?: +|$)/g, '$1\n').trimEnd();
