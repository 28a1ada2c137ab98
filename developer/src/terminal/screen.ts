/** Callers pass each value of a line through `printable` first: a line break in the value would start another line. */
import picocolors from 'picocolors';
import type { DeveloperEnvironment, Output } from './environment.ts';
import { printable, printableJson, printableLines } from './printable.ts';

type Colours = ReturnType<typeof picocolors.createColors>;

export interface Screen {
  isJson: boolean;
  /** The width of the terminal in characters; infinite when the output is not a terminal. */
  columns: number;
  colours: Colours;
  print(text: string): void;
  /** Prints a remark to standard error, so that the remark is not part of the output. */
  note(text: string): void;
  /** Replaces the progress line on standard error. Prints nothing when standard error is not a terminal. */
  progress(text: string): void;
}

export function createScreen({ env, stdout, stderr }: DeveloperEnvironment, isJson: boolean): Screen {
  let hasProgress = false;
  const clear = () => {
    if (hasProgress) stderr.write('\r\u001b[K');
    hasProgress = false;
  };
  const screen: Screen = {
    isJson,
    columns: stdout.isTTY ? (stdout.columns ?? 80) : Infinity,
    colours: picocolors.createColors(isColoured(env, stdout)),
    print(text) {
      clear();
      stdout.write(`${isJson ? printableJson(text) : printableLines(text)}\n`);
    },
    note(text) {
      clear();
      stderr.write(`${printableLines(text)}\n`);
    },
    progress(text) {
      if (!stderr.isTTY) return;
      clear();
      stderr.write(cut(printable(text), (stderr.columns ?? 80) - 1));
      hasProgress = true;
    },
  };
  return screen;
}

/** `NO_COLOR` turns colours off, and `FORCE_COLOR` turns them on when the output is not a terminal. */
function isColoured(env: DeveloperEnvironment['env'], { isTTY = false }: Output): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0';
  return isTTY && env.TERM !== 'dumb';
}

/** The text must not contain colour codes. */
export function cut(text: string, width: number): string {
  const characters = [...text];
  return characters.length <= width ? text : `${characters.slice(0, Math.max(width - 1, 0)).join('')}…`;
}
