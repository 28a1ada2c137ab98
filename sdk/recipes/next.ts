// app/webhooks/route.ts
import { unwrap, WebhookVerificationError } from '@tillhook/sdk/webhooks';

export async function POST(request: Request): Promise<Response> {
  try {
    const event = await unwrap(request, process.env.WEBHOOK_SECRET ?? '');
    // The same event can come twice: remember the header `webhook-id`, and do nothing the second time. Leave slow
    // work to `after()` or a queue, because Tillhook waits for this answer.
    if (event.event === 'checkout.success') console.log('Paid:', event.data.reference);
    return new Response(null, { status: 204 });
  } catch (error) {
    // Next answers any other error with 500, and Tillhook sends the event again.
    if (!(error instanceof WebhookVerificationError)) throw error;
    return new Response(error.code, { status: 400 });
  }
}
