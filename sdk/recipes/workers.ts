import { unwrap, WebhookVerificationError } from '@tillhook/sdk/webhooks';

interface Env {
  WEBHOOK_SECRET: string;
}

export default {
  async fetch(request, env) {
    if (request.method !== 'POST') return new Response(null, { status: 405 });
    try {
      const event = await unwrap(request, env.WEBHOOK_SECRET);
      // The same event can come twice: remember the header `webhook-id`, and do nothing the second time. Leave slow
      // work to a queue, because Tillhook waits for this answer.
      if (event.event === 'checkout.success') console.log('Paid:', event.data.reference);
      return new Response(null, { status: 204 });
    } catch (error) {
      // The platform answers any other error with 500, and Tillhook sends the event again.
      if (!(error instanceof WebhookVerificationError)) throw error;
      return new Response(error.code, { status: 400 });
    }
  },
} satisfies ExportedHandler<Env>;
