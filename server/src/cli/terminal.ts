/** What a command knows about the place where its output goes. */
import colorsOf from 'picocolors';

/** The part of a stream that commands use. */
export interface Output {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
  /** The error after which nothing can be written any more, such as that of a closed pipe. */
  errored?: Error | null;
  on?(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown;
}

export interface Terminal {
  /** How many columns a line may have. Null where the output is no terminal: there nothing is cut. */
  width: number | null;
  colors: ReturnType<typeof colorsOf.createColors>;
}

const usualWidth = 80;

export function terminalOf(output: Output, env: NodeJS.ProcessEnv): Terminal {
  const isTerminal = output.isTTY === true;
  return {
    width: isTerminal ? output.columns || usualWidth : null,
    colors: colorsOf.createColors(hasColors(isTerminal, env)),
  };
}

/** `NO_COLOR` wins over `FORCE_COLOR`, as in most programs. An empty variable counts as unset. */
function hasColors(isTerminal: boolean, { NO_COLOR, FORCE_COLOR, TERM }: NodeJS.ProcessEnv): boolean {
  if (NO_COLOR) return false;
  if (FORCE_COLOR) return FORCE_COLOR !== '0';
  return isTerminal && TERM !== 'dumb';
}

/**
 * A reader that closes the pipe, such as `head`, has what it wanted. Without this listener the process would end with a
 * stack. Any other error of the stream is thrown as before.
 */
export function toleratePipeEnd({ stdout, stderr }: { stdout: Output; stderr: Output }): void {
  for (const stream of [stdout, stderr]) {
    stream.on?.('error', (error) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}
