import type { Context, WithPrincipal } from '../../context.ts';
import { inOwnStatement, run } from '../../platform/database/statement.ts';
import type { WebhookEndpoint } from '../endpoints/endpoint.entity.ts';
import { getWebhookEndpoint } from '../endpoints/webhooks.service.ts';
import { type AttemptResult, deliverNow } from './deliver-now.ts';

/** Sends the sample event once, with the same rows, signer and sender as any other event. */
export async function sendTestEvent(context: Context & WithPrincipal, id: string): Promise<AttemptResult> {
  const endpoint = await getWebhookEndpoint(context, id);
  const result = await deliverNow(context, endpoint, {
    name: 'test.event',
    data: {
      reference: 'ref_00000000000000000000',
      amount: 500_000,
      currency: 'NGN',
      status: 'completed',
      customerEmail: 'customer@example.com',
    },
  });
  await noteTest(context, endpoint);
  return result;
}

/** Stored with the endpoint, because events are purged after some time. */
async function noteTest(context: Context, { id }: WebhookEndpoint): Promise<void> {
  await inOwnStatement(
    context,
    (statement) => run(statement)`update webhook_endpoint set tested_at = ${context.clock.now()} where id = ${id}`,
  );
}
