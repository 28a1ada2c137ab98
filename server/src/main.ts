/** Imports little, so that `npm start` prints its first line before the service is loaded, which takes longest. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError, loadConfig } from './config/config.ts';
import { StartError } from './kit/errors.ts';
import { type StartLines, startLinesFor } from './start/start-lines.ts';
import type { Tillhook } from './start/tillhook.ts';

/** npm and the terminal both send the signal of Ctrl-C, so the process receives two signals for one key press. */
const samePressMs = 1000;
/** The first pause between two checks of whether the service is ready; each pause is twice as long as the one before. */
const firstPauseMs = 5;
const maxPauseMs = 100;
/** The time after which a start logs which checks of `/readyz` still fail. */
const quietMs = 1000;

const stopping = new AbortController();

try {
  const config = loadConfig();
  const lines = startLinesFor(process.stdout);
  lines.begins(config);
  const starting = import('./start/tillhook.ts').then(({ startTillhook }) => startTillhook(config, lines.step));
  stopOnSignal(starting);
  await announce(await starting, lines);
} catch (error) {
  await endWith(error);
}

async function announce(tillhook: Tillhook, lines: StartLines): Promise<void> {
  const printing = lines.serves(tillhook);
  const isReady = await waitUntilReady(tillhook);
  await printing;
  await (isReady ? lines.isReady(tillhook) : lines.stopsEarly(tillhook));
}

/** During a stop, a failed start is not reported: Ctrl-C also ends the embedded database that the start needs. */
async function endWith(error: unknown): Promise<never> {
  if (stopping.signal.aborted && error instanceof StartError) process.exit(0);
  console.error((await isForTheOperator(error)) ? (error as Error).message : error);
  process.exit(1);
}

async function isForTheOperator(error: unknown): Promise<boolean> {
  if (error instanceof ConfigError || error instanceof StartError) return true;
  const { ContractError } = await import('@tillhook/openapi');
  return error instanceof ContractError;
}

/** The first signal stops the service gracefully, even during its start. A second signal ends the process at once. */
function stopOnSignal(starting: Promise<Tillhook>): void {
  let stoppingSince = 0;
  const stop = async () => {
    stoppingSince = performance.now();
    stopping.abort();
    try {
      await (await starting).stop();
      process.exit(0);
    } catch (error) {
      await endWith(error);
    }
  };
  const onSignal = () => {
    if (!stopping.signal.aborted) void stop();
    else if (performance.now() - stoppingSince > samePressMs) process.exit(1);
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  // npm also ends after Ctrl-C, whose signal has already begun the stop of the service.
  process.on('tillhookParentEnd' as 'beforeExit', () => stopping.signal.aborted || void stop());
}

// See docs/decisions/process.md, "ready is printed when /readyz answers 200".
async function waitUntilReady({ readiness, context: { log } }: Tillhook): Promise<boolean> {
  const { signal } = stopping;
  const since = performance.now();
  let reported = '';
  for (let pauseMs = firstPauseMs; !signal.aborted; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
    const checks = Object.entries(await readiness());
    const awaited = checks.filter(([, isUsable]) => !isUsable).map(([name]) => name);
    if (awaited.length === 0) return !signal.aborted;
    if (performance.now() - since > quietMs && reported !== awaited.join()) {
      reported = awaited.join();
      log.warn({ awaited }, 'The server is not ready yet and waits for its dependencies');
    }
    await sleep(pauseMs, undefined, { signal }).catch(() => {});
  }
  return false;
}
