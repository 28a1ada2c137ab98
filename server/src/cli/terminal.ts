/** The streams to which a command prints, and the terminal behind them. */
import { type Colours, coloursFor } from '../kit/terminal.ts';

/** The part of a stream that commands use. */
export interface Output {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
  /** The error of the stream, such as that of a closed pipe. After an error, nothing more can be written. */
  errored?: Error | null;
  on?(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown;
}

export interface Terminal {
  /** The maximum number of columns of a line. Null when the output is not a terminal: then nothing is truncated. */
  width: number | null;
  colours: Colours;
}

const usualWidth = 80;

export function terminalOf(output: Output, env: NodeJS.ProcessEnv): Terminal {
  return {
    width: output.isTTY ? output.columns || usualWidth : null,
    colours: coloursFor(output, env),
  };
}

/**
 * Ignores the error of a pipe that its reader has closed, such as `head`, which needs no more output. Without this
 * listener, the process would end with a stack. Any other error of the stream is still thrown.
 */
export function toleratePipeEnd({ stdout, stderr }: { stdout: Output; stderr: Output }): void {
  for (const stream of [stdout, stderr]) {
    stream.on?.('error', (error) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}
