/** Tests use this context to call services on the database of a server in another process. */
import { loadConfig } from '@tillhook/server';
import type { Context } from '@tillhook/server/src/context.ts';
import type { Mode } from '@tillhook/server/src/kit/mode.ts';
import { createPayoutProcessors, createProcessors } from '@tillhook/server/src/processors/processors.ts';
import { openCommandContext } from '@tillhook/server/src/start/command-context.ts';

export async function openContext(
  environment: Record<string, string>,
  publicUrl: string,
): Promise<{ context: Context } & AsyncDisposable> {
  const config = loadConfig(environment);
  const started = new AsyncDisposableStack();
  const { context } = await openCommandContext({ config, started });
  const processors = await createProcessors(config, context.log);
  const payers = createPayoutProcessors(config);
  const payouts = { ...context.payouts, serves: (mode: Mode) => payers[mode] !== undefined };
  return {
    context: { ...context, processors, payouts, publicUrl },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}
