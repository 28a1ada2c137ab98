import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { AppError } from '../../kit/errors.ts';

/** Ends a program that hangs without using processor time, or on a system without a limit of processor time. */
const timeLimitMs = 30_000;
const maxOutputBytes = 4 * 1024 * 1024;

/** Choice: two pictures of a merchant may wait, so that one user of the merchant does not block another user. */
const maxOfMerchant = 2;
/** One picture takes at least an eighth of a second, so the last of 32 pictures waits at least four seconds. */
const maxWaiting = 32;
const retry = { retryAfterSeconds: 1 };

const unfitCode = 2;
/** The problem that is reported when a signal ended the program: the program exceeded a limit or crashed. */
const tooMuchWork =
  'takes too much memory or time to read: save it again as a PNG or JPEG with fewer pixels and no metadata';

// A limit that the operating system does not support is ignored.
// See docs/decisions/checkout-page.md, "The operating system limits the program that decodes".
const limits = '{ ulimit -c 0; ulimit -s 1024; ulimit -t 2; ulimit -d 98304; } 2>/dev/null; exec "$0" "$@"';
const program = fileURLToPath(new URL('decode-image.js', import.meta.url));
/** These flags make V8 reserve less address space and start fewer threads. Both count towards the memory limit. */
const command = [process.execPath, '--jitless', '--v8-pool-size=0', program] as const;

export const decoder = {
  command: process.platform === 'win32' ? command : (['/bin/sh', '-c', limits, ...command] as const),
  /** Each thread, and each arena of the memory allocator, keeps some memory, so both numbers are small. */
  env: { MALLOC_ARENA_MAX: '1', UV_THREADPOOL_SIZE: '1' },
} as const;

export type Reencoded = { png: Uint8Array } | { problem: string };

const waitingOf = new Map<string, number>();
let waiting = 0;
let last: Promise<unknown> = Promise.resolve();

// Pictures are read one at a time. A merchant has few places in the queue, so that it cannot block all others.
// See docs/decisions/checkout-page.md, "A logo is decoded and encoded again".
// See docs/decisions/requests.md, "What all merchants share".
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
    // Writing fails when the program has already ended. The callback above reports how it ended.
    child.stdin?.on('error', () => {}).end(bytes);
  });
}
