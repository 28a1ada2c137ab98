/**
 * The service in this process, and in it a caller that publishes events as a payment does: each in a transaction of its
 * own, at a steady pace. Only from inside can the moment be seen when the commit is acknowledged, which is before
 * anything is sent. The argument is the environment of the service.
 */
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
    // The first effect after the commit, so that it runs before all others.
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
