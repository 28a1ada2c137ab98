import { unwrap, WebhookVerificationError } from '@tillhook/sdk/webhooks';
import express from 'express';

const app = express();

// The signature covers the bytes as they were sent, so do not use `express.json()` before this route.
app.post('/webhooks', express.raw({ type: '*/*' }), async (request, response) => {
  try {
    const event = await unwrap(request.body ?? '', request.headers, process.env.WEBHOOK_SECRET ?? '');
    // The same event can come twice: remember the header `webhook-id`, and do nothing the second time. Leave slow
    // work to a queue, because Tillhook waits for this answer.
    if (event.event === 'checkout.success') console.log('Paid:', event.data.reference);
    response.sendStatus(204);
  } catch (error) {
    // Express answers any other error with 500, and Tillhook sends the event again.
    if (!(error instanceof WebhookVerificationError)) throw error;
    response.status(400).send(error.code);
  }
});

app.listen(Number(process.env.PORT ?? 4000));
