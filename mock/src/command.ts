import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Command, CommanderError } from 'commander';

export interface Address {
  /** 0 for any free port. */
  port?: number;
  host?: string;
}

export interface Running {
  url: string;
  stop(): Promise<void>;
}

/** An error whose message is enough for the user at the terminal, without a stack. */
export class UserError extends Error {
  override name = 'UserError';
}

export async function listen(server: Server, { port, host }: Required<Address>): Promise<Running> {
  // Longer than clients keep idle connections. If the server closes one while the client reuses it, the request is
  // lost.
  server.keepAliveTimeout = 75_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explain(error, `${host}:${port}`)));
    server.listen(port, host, resolve);
  });
  const { port: actualPort } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${actualPort}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        // Also connections whose request still waits for an answer.
        server.closeAllConnections();
      }),
  };
}

/**
 * A reader that closes the pipe, such as `head`, has what it wanted. The program goes on to its end, so that its exit
 * code says what became of its work. `onEnd` is for a program that has no other end.
 */
export function toleratePipeEnd(onEnd: () => void = () => undefined): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      onEnd();
    });
  }
}

/** Runs until Ctrl-C. If the start fails, prints one line and exits with 1. */
export async function runCommand(start: () => Promise<Running>): Promise<void> {
  try {
    const running = await start();
    const stop = async () => {
      await running.stop();
      process.exit(0);
    };
    // Not `once`, because npm and the terminal both send the signal, so one Ctrl-C arrives twice.
    process.on('SIGINT', stop);
    process.on('SIGTERM', stop);
  } catch (error) {
    console.error(error instanceof UserError ? error.message : error);
    process.exit(1);
  }
}

/**
 * Runs a command line. Whatever the user can mend in it ends it with 2, with a message and without a stack: an unknown
 * option, or a value that is refused only when it is used.
 */
export async function exitWith(program: Command): Promise<void> {
  for (const command of [program, ...program.commands])
    command.exitOverride().showHelpAfterError('--help shows how to call it.');
  try {
    await program.parseAsync();
  } catch (error) {
    // Help that was asked for ends with 0. Commander has printed it, or the message, already.
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
    else {
      // Loaded here, because it brings the contract's package, which help does not need.
      const { Refusal } = await import('./refusal.ts');
      if (!(error instanceof UserError || error instanceof Refusal)) throw error;
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

function explain(error: NodeJS.ErrnoException, address: string): Error {
  if (error.code === 'EADDRINUSE')
    return new UserError(`${address} is in use: another program listens there.`, { cause: error });
  if (error.code === 'EACCES')
    return new UserError(`This user has no permission to listen on ${address}.`, { cause: error });
  return error;
}
