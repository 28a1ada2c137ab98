/**
 * The parts of the process that a developer command uses. A test passes a fake environment.
 * See docs/decisions/process.md, "Commands receive their environment and return an exit code".
 */
export interface DeveloperEnvironment {
  env: Readonly<Record<string, string | undefined>>;
  stdout: Output;
  stderr: Output;
  /** Aborted when the user presses Ctrl-C. */
  interrupted: AbortSignal;
}

export interface Output {
  write(text: string): unknown;
  /** True when the stream is a terminal. */
  isTTY?: boolean;
  /** The width of the terminal in characters. */
  columns?: number;
}

/** The exit codes, as `--help` lists them. */
export const exitCodes = { done: 0, failed: 1, wrongArguments: 2, interrupted: 130 } as const;

/** An expected error with advice for the user. It is printed without a stack trace. */
export class CommandError extends Error {
  override name = 'CommandError';
  readonly advice: string;
  readonly exitCode: number = exitCodes.failed;

  constructor(message: string, { advice, cause }: { advice: string; cause?: unknown }) {
    super(message, { cause });
    this.advice = advice;
  }
}

/** Thrown when an argument, an option or a setting is invalid. */
export class ArgumentError extends CommandError {
  override name = 'ArgumentError';
  override readonly exitCode = exitCodes.wrongArguments;
}

/**
 * Ignores EPIPE. A program that closes the pipe early, such as `head`, has read enough, so this program still runs to
 * its end and sets its exit code. A program that would run for ever, such as `listen`, exits in `onEnd`.
 */
export function toleratePipeEnd(onEnd: () => void = () => undefined): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      onEnd();
    });
  }
}
