/**
 * `npx tillhook`: the commands of an operator. Wrong arguments print the usage and exit with 2. Every other failure exits
 * with 1.
 */
import { CommanderError } from 'commander';
import { printableLines } from '../kit/terminal.ts';
import { actionsIn, type CommandEnvironment } from './perform.ts';
import { createProgram, developerCommands } from './program.ts';
import { toleratePipeEnd } from './terminal.ts';

/** Runs one command and returns its exit code. */
export async function runCommand(args: readonly string[], environment: CommandEnvironment): Promise<number> {
  toleratePipeEnd(environment);
  let exitCode = 0;
  const fail = () => {
    exitCode = 1;
  };
  const program = createProgram(environment, actionsIn(environment, fail));
  if (args[0] === 'complete') (await import('./completion.ts')).answerCompletions(program, developerCommands);
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    // Commander has printed its message already. A request for help is not an error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const { failureText } = await import('./failure-text.ts');
    environment.stderr.write(`${printableLines(failureText(error))}\n`);
    return 1;
  }
  return exitCode;
}
