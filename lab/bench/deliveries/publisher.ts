/** Publishes events in the process of the service, because only this process knows when a commit is acknowledged. */
import { loadConfig } from '@tillhook/server/src/config/config.ts';
import { withFreshEntityManager } from '@tillhook/server/src/context.ts';
import { inTransaction } from '@tillhook/server/src/platform/database/transaction.ts';
import { startTillhook } from '@tillhook/server/src/start/tillhook.ts';
import { publish } from '@tillhook/server/src/webhooks/queue/publish.ts';
import { answerPublishing, type PublishOne } from './publishing.ts';

const [, , env = ''] = process.argv;
const { context } = await startTillhook(loadConfig(JSON.parse(env)));

const publishOne: PublishOne = async ({ merchantId }, { reference, onCommit }) => {
  await inTransaction(withFreshEntityManager(context), async (tx) => {
    // `onCommit` is registered first, so that it runs before all other effects of the commit.
    tx.afterCommit(onCommit);
    await publish(tx, {
      merchantId,
      mode: 'test',
      name: 'checkout.success',
      reference,
      data: { reference, amount: 500_000, currency: 'NGN', status: 'completed', customerEmail: 'ada@example.com' },
      occurredAt: tx.clock.now(),
      traceparent: null,
    });
  });
};

answerPublishing(publishOne);
