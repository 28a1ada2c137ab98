import { ContractError } from '@tillhook/openapi';
import { ConfigError, loadConfig } from './config.ts';
import { isBoundToParent, onParentEnd } from './parent-end.ts';
import { StartError } from './start-error.ts';
import { startTillhook, type Tillhook } from './tillhook.ts';
import { waitUntilReady } from './wait-until-ready.ts';

/** npm and the terminal both send the signal of Ctrl-C, so the signal of one key press arrives twice. */
const samePressMs = 1000;

try {
  const starting = startTillhook(loadConfig());
  const signal = stopOnSignal(starting);
  const tillhook = await starting;
  announce(tillhook);
  const { readiness, context } = tillhook;
  // Scripts wait for this line. When it is printed, `/readyz` answers 200.
  if (await waitUntilReady({ readiness, log: context.log, signal })) console.log('ready');
} catch (error) {
  console.error(isForTheOperator(error) ? error.message : error);
  process.exit(1);
}

/** The message of such an error is enough for the operator. Any other error is a bug and is printed with its stack. */
function isForTheOperator(error: unknown): error is Error {
  return error instanceof ConfigError || error instanceof ContractError || error instanceof StartError;
}

/**
 * Prints the lines that people and scripts read, to standard output.
 * See docs/decisions/process.md, "People read standard output, machines standard error".
 */
function announce({ url, metricsUrl, demo, isDemo, context }: Tillhook): void {
  // A worker prints this line too, because scripts find its probes by it.
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
