import { type Command, CommanderError } from 'commander';
import { type Running, UserError } from '../listening.ts';

export async function runCommand(start: () => Promise<Running>): Promise<void> {
  try {
    const running = await start();
    const stop = async () => {
      await running.stop();
      process.exit(0);
    };
    // `once` would not work: npm and the terminal both send the signal, so a single Ctrl-C sends it twice.
    process.on('SIGINT', stop);
    process.on('SIGTERM', stop);
  } catch (error) {
    console.error(error instanceof UserError ? error.message : error);
    process.exit(1);
  }
}

export async function exitWith(program: Command): Promise<void> {
  for (const command of [program, ...program.commands])
    command.exitOverride().showHelpAfterError('--help shows how to call it.');
  try {
    await program.parseAsync();
  } catch (error) {
    // Commander has already printed the help or the error.
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
    else {
      // The import is lazy, because it loads the contract's package, which `--help` does not need.
      const { ApiError } = await import('../requests/api-error.ts');
      if (!(error instanceof UserError || error instanceof ApiError)) throw error;
      console.error(error.message);
      process.exitCode = 2;
    }
  }
}

export function readPort(variable: string, value: string | undefined, fallback: number): number {
  if (!value) return fallback;
  const port = Number(value);
  if (Number.isInteger(port) && port >= 0 && port <= 65535) return port;
  throw new UserError(`${variable} must be a port from 0 to 65535, not "${value}".`);
}
