import { unwrap, WebhookVerificationError } from '@tillhook/sdk/webhooks';

/** Fields of the event that API Gateway (HTTP and REST APIs), function URLs and load balancers pass to a handler. */
interface Arrival {
  body?: string | null;
  isBase64Encoded?: boolean;
  headers: Record<string, string | undefined>;
}

export async function handler({ body, isBase64Encoded, headers }: Arrival) {
  // The signature covers the bytes as they were sent, and Lambda may pass the bytes in base64.
  const rawBody = Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8');
  try {
    const event = await unwrap(rawBody, headers, process.env.WEBHOOK_SECRET ?? '');
    // The same event can come twice: remember the header `webhook-id`, and do nothing the second time. Leave slow
    // work to a queue, because Tillhook waits for this answer.
    if (event.event === 'checkout.success') console.log('Paid:', event.data.reference);
    return { statusCode: 204 };
  } catch (error) {
    // Lambda answers any other error with 502, and Tillhook sends the event again.
    if (!(error instanceof WebhookVerificationError)) throw error;
    return { statusCode: 400, body: error.code };
  }
}
