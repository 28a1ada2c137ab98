import { ContractError } from '@tillhook/openapi';
import { ConfigError, loadConfig } from './config.ts';
import { isBoundToParent, onParentEnd } from './parent-end.ts';
import { StartError } from './start-error.ts';
import { startTillhook, type Tillhook } from './tillhook.ts';
import { waitUntilReady } from './wait-until-ready.ts';

/** npm and the terminal both pass Ctrl-C on, so one press arrives here twice. */
const samePressMs = 1000;

try {
  const starting = startTillhook(loadConfig());
  const signal = stopOnSignal(starting);
  const tillhook = await starting;
  announce(tillhook);
  const { readiness, context } = tillhook;
  // A script that waits for this line may begin: `/readyz` answers 200.
  if (await waitUntilReady({ readiness, log: context.log, signal })) console.log('ready');
} catch (error) {
  console.error(isForTheOperator(error) ? error.message : error);
  process.exit(1);
}

/** These messages say all there is to say; anything else is a fault of ours and keeps its stack. */
function isForTheOperator(error: unknown): error is Error {
  return error instanceof ConfigError || error instanceof ContractError || error instanceof StartError;
}

/**
 * The lines that people and scripts read, each on its own on standard output.
 * See docs/decisions/process.md, "People read standard output, machines standard error".
 */
function announce({ url, metricsUrl, demo, isDemo, context }: Tillhook): void {
  // A worker prints it too: scripts find its probes by it, and it has nothing else there.
  console.log(`api ${url}`);
  if (context.config.role !== 'worker') {
    console.log(`dashboard ${url}/dashboard`);
    console.log(`docs ${url}/docs`);
  }
  if (metricsUrl) console.log(`metrics ${metricsUrl}`);
  if (demo) {
    console.log(`test key ${demo.testKey}`);
    console.log(`sign in ${demo.email} ${demo.password}`);
  } else if (isDemo) {
    console.log('Keys and passwords are stored hashed. For new ones:');
    console.log('  npx tillhook keys create --mode test');
    console.log('  npx tillhook users reset-password --email …');
  }
}

/**
 * The first signal stops in order, also while the start is under way, and a second one at once. The end of npm stops in order
 * too. The returned signal says that the stop has begun.
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
  // After Ctrl-C npm ends too, and the server is stopping already.
  if (isBoundToParent(process.argv)) onParentEnd(() => stopping.signal.aborted || void stop());
  return stopping.signal;
}
