/** See docs/decisions/process.md, "Commands receive their environment and return an exit code". */
export interface DeveloperEnvironment {
  env: Readonly<Record<string, string | undefined>>;
  stdout: Output;
  stderr: Output;
  interrupted: AbortSignal;
}

export interface Output {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
}

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

export class ArgumentError extends CommandError {
  override name = 'ArgumentError';
  override readonly exitCode = exitCodes.wrongArguments;
}

/** Ignores EPIPE, because a reader that closes the pipe early, such as `head`, has read enough. */
export function toleratePipeEnd(onEnd: () => void = () => undefined): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      onEnd();
    });
  }
}
