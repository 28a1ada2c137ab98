/**
 * The program of the developer's commands. `--help` loads nothing but their names and options, so that it answers at
 * once.
 * See docs/decisions/mock.md, "The developer's commands are a client like any other".
 */
import { Command, CommanderError } from 'commander';
import packageFile from '../../package.json' with { type: 'json' };
import { commandLine } from '../command-line.ts';
import { describeOption, nameAllMissing } from '../required-options.ts';
import { serviceUrlBy } from '../service-settings.ts';
import { addCommands, type Perform, settingsText } from './command-list.ts';
import { type DeveloperEnvironment, exitCodes } from './environment.ts';

/** Runs one command and returns its exit code. */
export async function runDeveloperCommand(args: readonly string[], environment: DeveloperEnvironment): Promise<number> {
  let exitCode: number = exitCodes.done;
  const program = createProgram(environment, (load) => async (...received) => {
    const command = received.at(-1) as Command;
    const given = { ...command.opts(), which: command.processedArgs[0] };
    exitCode = await (await load())(given as never, environment);
  });
  try {
    if (/^complet(e|ion)$/.test(args[0] ?? '')) (await import('./completion.ts')).addCompletion(program);
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander has printed its message already. A request for help is not an error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.wrongArguments;
    return explain(error, environment);
  }
}

function createProgram({ env, stdout, stderr }: DeveloperEnvironment, perform: Perform): Command {
  const program = new Command('mock')
    .description("The developer's commands for a running Tillhook. Without a command, the mock is served.")
    .version(packageFile.version)
    .configureHelp({ commandUsage: usageOf, optionDescription: describeOption })
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      getOutHelpWidth: () => stdout.columns ?? 80,
      getErrHelpWidth: () => stderr.columns ?? 80,
    })
    .showHelpAfterError('Run it with --help to see what it takes.')
    .exitOverride();
  addCommands(program, perform);
  nameAllMissing(program);
  return program
    .addHelpText('after', '\ncompletion bash|zsh|fish prints the completion of `mock`.')
    .addHelpText('afterAll', settingsText(serviceUrlBy(env)));
}

function usageOf(command: Command): string {
  return command.parent === null
    ? `${commandLine('<command>')} [options]`
    : `${commandLine(command.name())} ${command.usage()}`;
}

/** The names of the commands, in the order of the help. */
export const developerCommands: readonly string[] = addedTo(new Command());

/** The words with which a command line of this program begins. */
export const developerWords: readonly string[] = [
  ...developerCommands,
  'completion',
  // The script of a completion asks with it.
  'complete',
  ...['help', '--help', '-h', '--version', '-V'],
];

function addedTo(program: Command): string[] {
  addCommands(program, () => async () => undefined);
  return program.commands.map((command) => command.name());
}

async function explain(error: unknown, { interrupted, stderr }: DeveloperEnvironment): Promise<number> {
  const [{ explainError }, { printable }] = await Promise.all([
    import('./explain-error.ts'),
    import('../printable.ts'),
  ]);
  const { lines, exitCode } = explainError(error, interrupted.aborted);
  const shown = lines.flatMap((line) => line.split('\n')).map(printable);
  stderr.write(`${shown.join('\n')}\n`);
  return exitCode;
}
