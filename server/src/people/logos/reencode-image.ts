import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { AppError } from '../../kit/errors.ts';

/** The last resort, for a program that waits and does not work, and for systems without a limit of processor time. */
const timeLimitMs = 30_000;
const maxOutputBytes = 4 * 1024 * 1024;

/** Choice: two, so that one user of a merchant need not wait for another one. */
const maxOfMerchant = 2;
const maxWaiting = 32;
const retry = { retryAfterSeconds: 1 };

/** The exit code of the program for a file that is no picture for a logo. */
const unfitCode = 2;
/** For a file with which a signal ended the program, because the program exceeded a limit or crashed. */
const tooMuchWork =
  'takes too much memory or time to read: save it again as a PNG or JPEG with fewer pixels and no metadata';

/**
 * The shell sets limits of the operating system and then becomes the program: no file with the memory of a crashed program,
 * stacks of 1 MB, 2 seconds of processor time, and 96 MB of memory. A system that does not have a limit goes on without it.
 * See docs/decisions/checkout-page.md, "The operating system limits the program that decodes".
 */
const limits = '{ ulimit -c 0; ulimit -s 1024; ulimit -t 2; ulimit -d 98304; } 2>/dev/null; exec "$0" "$@"';
const program = fileURLToPath(new URL('decode-image.js', import.meta.url));
/**
 * With these flags V8 reserves no address space for machine code, and Node.js begins fewer threads. The limit of memory
 * counts both.
 */
const command = [process.execPath, '--jitless', '--v8-pool-size=0', program] as const;

export const decoder = {
  command: process.platform === 'win32' ? command : (['/bin/sh', '-c', limits, ...command] as const),
  /** Otherwise each thread keeps some memory. */
  env: { MALLOC_ARENA_MAX: '1', UV_THREADPOOL_SIZE: '1' },
} as const;

export type Reencoded = { png: Uint8Array } | { problem: string };

/** How many pictures of a merchant are being read or wait. Only merchants that have any are in the map. */
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
  if (own >= maxOfMerchant) throw new AppError('rate_limited', 'Your other pictures are being read; try again', retry);
  if (waiting >= maxWaiting) {
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

function runProgram(bytes: Uint8Array): Promise<Reencoded> {
  return new Promise((resolve, reject) => {
    const [file, ...args] = decoder.command;
    const bounds = { timeout: timeLimitMs, killSignal: 'SIGKILL', maxBuffer: maxOutputBytes } as const;
    const child = execFile(file, args, { ...bounds, env: decoder.env, encoding: 'buffer' }, (error, output) => {
      if (!error) resolve({ png: output });
      else if (error.code === unfitCode) resolve({ problem: output.toString() });
      else if (error.killed)
        reject(new AppError('service_unavailable', 'The picture was not read in time; try again', retry));
      else if (error.signal) resolve({ problem: tooMuchWork });
      else reject(error);
    });
    // A program that has ended does not read the rest of the image. The callback above reports how it ended.
    child.stdin?.on('error', () => {}).end(bytes);
  });
}
