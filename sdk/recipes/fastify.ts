import { unwrap, WebhookVerificationError } from '@tillhook/sdk/webhooks';
import fastify from 'fastify';

const app = fastify();

// A separate scope: the signature covers the bytes as they were sent, and other routes need parsed bodies.
app.register(async (webhooks) => {
  webhooks.removeAllContentTypeParsers();
  webhooks.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body);

  webhooks.post<{ Body?: Buffer }>('/webhooks', async ({ body, headers }, reply) => {
    try {
      const event = await unwrap(body ?? '', headers, process.env.WEBHOOK_SECRET ?? '');
      // The same event can come twice: remember the header `webhook-id`, and do nothing the second time. Leave slow
      // work to a queue, because Tillhook waits for this answer.
      if (event.event === 'checkout.success') console.log('Paid:', event.data.reference);
      return reply.code(204).send();
    } catch (error) {
      // Fastify answers any other error with 500, and Tillhook sends the event again.
      if (!(error instanceof WebhookVerificationError)) throw error;
      return reply.code(400).send(error.code);
    }
  });
});

await app.listen({ port: Number(process.env.PORT ?? 4000) });
