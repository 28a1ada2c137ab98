import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../kit/logger.ts';

const askEveryMs = 50;
/** A start that takes only this long writes no log line. */
const quietMs = 1000;

interface Waiting {
  /** The checks of `/readyz`. */
  readiness(): Promise<Record<string, boolean>>;
  log: Logger;
  /** Ends the waiting. */
  signal: AbortSignal;
}

/**
 * Resolves with true when `/readyz` would answer 200, without a time limit, and with false when the signal ended the
 * waiting.
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
