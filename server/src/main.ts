/**
 * The process of `npm start`. It imports little, so that it can say at once what it does: loading the service takes
 * longer than all other parts of a usual start.
 */
import { ConfigError, loadConfig } from './config.ts';
import { isBoundToParent, onParentEnd } from './parent-end.ts';
import { StartError } from './start-error.ts';
import { type StartLines, startLinesFor } from './start-lines.ts';
import type { Tillhook } from './tillhook.ts';

/** npm and the terminal both send the signal of Ctrl-C, so the signal of one key press arrives twice. */
const samePressMs = 1000;

try {
  const config = loadConfig();
  const lines = startLinesFor(process.stdout);
  lines.begins(config);
  const starting = import('./tillhook.ts').then(({ startTillhook }) => startTillhook(config, lines.step));
  const signal = stopOnSignal(starting);
  await announce(await starting, lines, signal);
} catch (error) {
  console.error((await isForTheOperator(error)) ? (error as Error).message : error);
  process.exit(1);
}

async function announce(tillhook: Tillhook, lines: StartLines, signal: AbortSignal): Promise<void> {
  const printing = lines.serves(tillhook);
  const { waitUntilReady } = await import('./wait-until-ready.ts');
  const { readiness, context } = tillhook;
  const isReady = await waitUntilReady({ readiness, log: context.log, signal });
  await printing;
  await (isReady ? lines.isReady(tillhook) : lines.stopsEarly(tillhook));
}

/** The message of such an error is enough for the operator. Any other error is a bug and is printed with its stack. */
async function isForTheOperator(error: unknown): Promise<boolean> {
  if (error instanceof ConfigError || error instanceof StartError) return true;
  const { ContractError } = await import('@tillhook/openapi');
  return error instanceof ContractError;
}

/**
 * The first signal stops the service in order, also while it is starting. A second signal ends the process at once. The
 * end of npm also stops the service in order. The returned signal is aborted when the stop begins.
 */
function stopOnSignal(starting: Promise<Tillhook>): AbortSignal {
  const stopping = new AbortController();
  let stoppingSince = 0;
  const stop = async () => {
    stoppingSince = performance.now();
    stopping.abort();
    try {
      await (await starting).stop();
      process.exit(0);
    } catch (error) {
      console.error(error);
      process.exit(1);
    }
  };
  const onSignal = () => {
    if (!stopping.signal.aborted) void stop();
    else if (performance.now() - stoppingSince > samePressMs) process.exit(1);
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  // After Ctrl-C npm ends too, but then the service is stopping already.
  if (isBoundToParent(process.argv)) onParentEnd(() => stopping.signal.aborted || void stop());
  return stopping.signal;
}
