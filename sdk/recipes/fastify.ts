import { unwrap, WebhookVerificationError } from '@tillhook/sdk/webhooks';
import fastify from 'fastify';

const app = fastify();

// In a scope of its own, because the signature covers the bytes as they were sent and other routes want parsed ones.
app.register(async (webhooks) => {
  webhooks.removeAllContentTypeParsers();
  webhooks.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body);

  webhooks.post<{ Body?: Buffer }>('/webhooks', async ({ body, headers }, reply) => {
    try {
      const event = await unwrap(body ?? '', headers, process.env.TILLHOOK_WEBHOOK_SECRET ?? '');
      // The same event can come twice: remember the header `webhook-id`, and do nothing the second time. Leave slow
      // work to a queue, because Tillhook waits for this answer.
      if (event.event === 'checkout.success') console.log('Paid:', event.data.reference);
      return reply.code(204).send();
    } catch (error) {
      // Anything else is a 500 of Fastify, and Tillhook sends the event again.
      if (!(error instanceof WebhookVerificationError)) throw error;
      return reply.code(400).send(error.code);
    }
  });
});

await app.listen({ port: Number(process.env.PORT ?? 4000) });
