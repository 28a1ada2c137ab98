import type { Command } from 'commander';
import type { Context, WriteContext } from '../context.ts';
import { printable, printableLines } from '../kit/terminal.ts';
import type { Needs, Progress, Report } from './report.ts';
import { type Output, terminalOf } from './terminal.ts';

type Work<In extends Context> = (context: In, given: never, progress: Progress) => Promise<Report>;

// See docs/decisions/process.md, "Commands receive their environment and return an exit code".
export interface CommandEnvironment {
  env: NodeJS.ProcessEnv;
  stdout: Output;
  stderr: Output;
}

/** Makes a Commander action. The function `work` receives the options, and the argument of the command as `which`. */
type Perform<In extends Context> = (work: Work<In>, needs?: Needs) => (...received: unknown[]) => Promise<void>;

export interface Actions {
  inTransaction: Perform<WriteContext>;
  inSteps: Perform<Context>;
}

export function actionsIn({ env, stdout, stderr }: CommandEnvironment, fail: () => void): Actions {
  const action =
    (isOneTransaction: boolean): Perform<never> =>
    (work, needs = {}) =>
    async (...received) => {
      const command = received.at(-1) as Command;
      const { json, ...options } = command.optsWithGlobals();
      const given = { ...options, which: command.processedArgs[0] } as never;
      const { inDatabase } = await import('./in-database.ts');
      const progress = progressOn(stderr);
      const report = await inDatabase({ env, isOneTransaction, ...needs }, async (context) => {
        const made = await work(context as never, given, progress.show);
        for await (const piece of made.pieces ?? []) {
          if (stdout.errored) break;
          stdout.write(piece);
        }
        return made;
      }).finally(progress.clear);
      await print(report, { env, stdout, stderr, json });
      if (report.failed) fail();
    };
  return { inTransaction: action(true), inSteps: action(false) };
}

/** Merchants choose parts of the printed texts, so control characters are replaced. */
async function print(
  { record, answer, note }: Report,
  { env, stdout, stderr, json }: CommandEnvironment & { json: boolean | undefined },
): Promise<void> {
  if (json && record !== undefined) {
    stdout.write(`${JSON.stringify(record, null, 2)}\n`);
    return;
  }
  if (note !== undefined) stderr.write(`${printableLines(note)}\n`);
  if (typeof answer === 'string') stdout.write(`${printableLines(answer)}\n`);
  if (typeof answer !== 'object') return;
  const { sheetText, tableText } = await import('./table.ts');
  const terminal = terminalOf(stdout, env);
  stdout.write(`${'rows' in answer ? tableText(answer, terminal) : sheetText(answer, terminal)}\n`);
}

function progressOn(stderr: Output): { show: Progress; clear(): void } {
  let isShown = false;
  const clearLine = '\r\u001b[2K';
  return {
    show(text) {
      if (!stderr.isTTY) return;
      isShown = true;
      stderr.write(`${clearLine}${printable(text).slice(0, (stderr.columns || text.length + 1) - 1)}`);
    },
    clear() {
      if (isShown) stderr.write(clearLine);
    },
  };
}
