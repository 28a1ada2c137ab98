import { serve } from '@hono/node-server';
import { unwrap, WebhookVerificationError } from '@tillhook/sdk/webhooks';
import { Hono } from 'hono';

const app = new Hono();

app.post('/webhooks', async (context) => {
  try {
    const event = await unwrap(context.req.raw, process.env.WEBHOOK_SECRET ?? '');
    // The same event can come twice: remember the header `webhook-id`, and do nothing the second time. Leave slow
    // work to a queue, because Tillhook waits for this answer.
    if (event.event === 'checkout.success') console.log('Paid:', event.data.reference);
    return context.body(null, 204);
  } catch (error) {
    // Hono answers any other error with 500, and Tillhook sends the event again.
    if (!(error instanceof WebhookVerificationError)) throw error;
    return context.text(error.code, 400);
  }
});

serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 4000) });
