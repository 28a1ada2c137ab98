import { Worker } from 'node:worker_threads';
import { AppError } from '../kit/errors.ts';
import { broken } from './image-header.ts';
import type { Reencoded } from './image-worker.ts';

/** A picture that passes the checks takes less than a second. */
const timeLimitMs = 10_000;
const mostWaiting = 8;
const memory = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 };

let waiting = 0;
let last: Promise<unknown> = Promise.resolve();

/**
 * Makes a new PNG of an image, or says what is wrong with the image. A thread does it, one after another, so that other
 * calls are answered meanwhile, and so that an image that stops the codec ends the thread and not the process.
 * See docs/decisions/checkout-page.md, "A logo is decoded and encoded again".
 */
export async function reencodeImage(bytes: Uint8Array): Promise<Reencoded> {
  if (waiting >= mostWaiting) {
    throw new AppError('service_unavailable', 'Other pictures are being read; try again', { retryAfterSeconds: 1 });
  }
  waiting += 1;
  const next = last
    .then(() => runThread(bytes))
    .finally(() => {
      waiting -= 1;
    });
  last = next;
  return next;
}

/** Never rejects: a thread that fails or takes too long has met a broken image. */
function runThread(bytes: Uint8Array): Promise<Reencoded> {
  const thread = new Worker(new URL('image-worker.ts', import.meta.url), {
    workerData: bytes,
    resourceLimits: memory,
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
  });
  const timer = setTimeout(() => void thread.terminate(), timeLimitMs);
  return new Promise<Reencoded>((resolve) => {
    const fail = () => resolve({ problem: broken });
    thread.once('message', resolve).once('error', fail).once('exit', fail);
  }).finally(() => clearTimeout(timer));
}
