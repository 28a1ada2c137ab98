import { alone, type Operations, read, write } from '../http/operation.ts';
import { endpointView } from './endpoint.view.ts';
import { checkEndpointUrl } from './endpoint-url.ts';
import { completeWebhookSecretRotation, rotateWebhookSecret } from './secret-rotation.service.ts';
import { testEventView } from './test-event.view.ts';
import {
  getWebhookEndpoint,
  listWebhookEndpoints,
  registerWebhookEndpoint,
  removeWebhookEndpoint,
  sendTestEvent,
  updateWebhookEndpoint,
} from './webhooks.service.ts';

export const webhooksOperations = {
  registerWebhookEndpoint: write(
    async (context, { body }) => {
      const { endpoint, secret } = await registerWebhookEndpoint(context, body);
      return endpointView(endpoint, secret);
    },
    // Looking a name up is a network call, so it comes before the transaction.
    { beforeTransaction: (context, { body }) => checkEndpointUrl(context, body.url) },
  ),

  listWebhookEndpoints: read(async (context) => {
    const endpoints = await listWebhookEndpoints(context);
    return { webhooks: endpoints.map((endpoint) => endpointView(endpoint)), total: endpoints.length };
  }),

  getWebhookEndpoint: read(async (context, { path }) => endpointView(await getWebhookEndpoint(context, path.id))),

  updateWebhookEndpoint: write(
    async (context, { path, body }) => endpointView(await updateWebhookEndpoint(context, path.id, body)),
    {
      beforeTransaction: async (context, { body: { url } }) => {
        if (url !== undefined) await checkEndpointUrl(context, url);
      },
    },
  ),

  removeWebhookEndpoint: write(async (context, { path }) => {
    const { id } = await removeWebhookEndpoint(context, path.id);
    return { success: true, message: 'Webhook endpoint removed', data: { id, deleted: true } };
  }),

  rotateWebhookSecret: write(async (context, { path, body = {} }) =>
    endpointView(await rotateWebhookSecret(context, path.id, body)),
  ),

  completeWebhookSecretRotation: write(async (context, { path, body = {} }) =>
    endpointView(await completeWebhookSecretRotation(context, path.id, body)),
  ),

  // No ambient transaction: the receiver is asked while this operation runs, and no network call is made inside one.
  sendTestEvent: alone(async (context, { path }) => testEventView(await sendTestEvent(context, path.id)), {
    limit: { policy: 'test_event', by: ({ path }) => path.id },
  }),
} satisfies Partial<Operations>;
