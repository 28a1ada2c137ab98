import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from './kit/logger.ts';

const askEveryMs = 50;
/** Every start takes a moment, which is not worth a log line. */
const quietMs = 1000;

interface Waiting {
  /** What `/readyz` asks. */
  readiness(): Promise<Record<string, boolean>>;
  log: Logger;
  /** Ends the waiting. */
  signal: AbortSignal;
}

/**
 * Resolves with true once `/readyz` would answer 200, however long that takes, and with false when the waiting was ended.
 * See docs/decisions/process.md, "ready is printed when /readyz answers 200".
 */
export async function waitUntilReady({ readiness, log, signal }: Waiting): Promise<boolean> {
  const since = performance.now();
  let reported = '';
  while (!signal.aborted) {
    const checks = Object.entries(await readiness());
    const awaited = checks.filter(([, isUsable]) => !isUsable).map(([name]) => name);
    if (awaited.length === 0) return !signal.aborted;
    if (performance.now() - since > quietMs && reported !== awaited.join()) {
      reported = awaited.join();
      log.warn({ awaited }, 'The server is not ready yet and waits for what it needs');
    }
    await sleep(askEveryMs, undefined, { signal }).catch(() => {});
  }
  return false;
}
