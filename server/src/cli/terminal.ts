import { type Colours, coloursFor } from '../kit/terminal.ts';

export interface Output {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
  errored?: Error | null;
  on?(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown;
}

export interface Terminal {
  /** Null when the output is not a terminal; then no cell is truncated. */
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
 * A reader that needs no more output, such as `head`, closes the pipe. Without this listener, the process would end
 * with a stack.
 */
export function toleratePipeEnd({ stdout, stderr }: { stdout: Output; stderr: Output }): void {
  for (const stream of [stdout, stderr]) {
    stream.on?.('error', (error) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}
