import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { AppError } from '../kit/errors.ts';

/** A picture that passes the checks takes less than a second of a processor. */
const timeLimitMs = 10_000;
const mostOutputBytes = 4 * 1024 * 1024;

/** Choice: two, so that a person need not wait for another user of the same merchant to be done. */
const mostOfMerchant = 2;
const mostWaiting = 32;

/** The exit code of the program for a file that is no picture for a logo. */
const unfitCode = 2;

export const decoder = {
  program: fileURLToPath(new URL('decode-image.ts', import.meta.url)),
  /** Otherwise each thread keeps some memory. */
  env: { MALLOC_ARENA_MAX: '1', UV_THREADPOOL_SIZE: '1' },
} as const;

export type Reencoded = { png: Uint8Array } | { problem: string };

/** Of each merchant that has any: how many of its pictures are read or wait. */
const waitingOf = new Map<string, number>();
let waiting = 0;
let last: Promise<unknown> = Promise.resolve();

/**
 * Makes a new PNG of an image, or says what is wrong with the image. One picture is read at a time, in the order in which
 * they come. A merchant has a few places in the queue, so it cannot fill the queue, and others wait only for these.
 * See docs/decisions/checkout-page.md, "A logo is decoded and encoded again".
 * See docs/decisions/requests.md, "What all merchants share".
 */
export async function reencodeImage(bytes: Uint8Array, merchantId: string): Promise<Reencoded> {
  const own = waitingOf.get(merchantId) ?? 0;
  const retry = { retryAfterSeconds: 1 };
  if (own >= mostOfMerchant) throw new AppError('rate_limited', 'Your other pictures are being read; try again', retry);
  if (waiting >= mostWaiting) {
    throw new AppError('service_unavailable', 'Other pictures are being read; try again', retry);
  }
  waitingOf.set(merchantId, own + 1);
  waiting += 1;
  const next = last.then(() => runProgram(bytes)).finally(() => leave(merchantId));
  last = next.catch(() => {});
  return next;
}

function leave(merchantId: string): void {
  const left = (waitingOf.get(merchantId) ?? 1) - 1;
  if (left === 0) waitingOf.delete(merchantId);
  else waitingOf.set(merchantId, left);
  waiting -= 1;
}

/** A program that is ended by a signal has crashed on the image, or has taken too long or too much memory. */
function runProgram(bytes: Uint8Array): Promise<Reencoded> {
  return new Promise((resolve, reject) => {
    const { program, env } = decoder;
    const limits = { timeout: timeLimitMs, killSignal: 'SIGKILL', maxBuffer: mostOutputBytes } as const;
    const child = execFile(process.execPath, [program], { ...limits, env, encoding: 'buffer' }, (error, output) => {
      if (!error) resolve({ png: output });
      else if (error.code === unfitCode) resolve({ problem: output.toString() });
      else if (error.signal) resolve({ problem: 'is broken: the picture could not be read to its end' });
      else reject(error);
    });
    // A program that has ended does not read the rest of the image. How it ended is said above.
    child.stdin?.on('error', () => {}).end(bytes);
  });
}
