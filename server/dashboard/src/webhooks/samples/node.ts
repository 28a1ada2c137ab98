export const node = (
  path: string,
  port: number,
) => `import { unwrap, WebhookVerificationError } from '@tillhook/sdk/webhooks';
import express from 'express';

const secrets = process.env.TILLHOOK_WEBHOOK_SECRET.split(',');
const app = express();

// The signature covers the bytes as they were sent: no express.json() may stand before this route.
app.post('${path}', express.raw({ type: '*/*' }), async (request, response) => {
  try {
    const event = await unwrap(request.body ?? '', request.headers, secrets);
    // The same event can come twice: remember the header webhook-id, and do nothing the second time.
    if (event.event === 'checkout.success') console.log('Paid:', event.data.reference);
    response.sendStatus(204);
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    response.status(400).send(error.code);
  }
});

app.listen(${port});
`;
