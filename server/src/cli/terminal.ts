/** What a command knows about the place where its output goes. */
import { type Colours, coloursFor } from '../kit/terminal.ts';

/** The part of a stream that commands use. */
export interface Output {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
  /** The error of the stream, such as that of a closed pipe. After it nothing can be written. */
  errored?: Error | null;
  on?(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown;
}

export interface Terminal {
  /** How many columns a line may have. Null where the output is no terminal: there nothing is cut. */
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
