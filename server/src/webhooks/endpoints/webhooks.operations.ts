import { type Operations, read, write } from '../../operation/operation.ts';
import { callerGuessLimits, requireOwnCode } from '../../people/sessions/codes.service.ts';
import { requirePassword } from '../../people/sessions/dashboard-users.service.ts';
import { endpointView, revealedSecretView } from './endpoint.view.ts';
import { checkEndpointUrl } from './endpoint-url.ts';
import { completeWebhookSecretRotation, rotateWebhookSecret } from './secret-rotation.service.ts';
import {
  getWebhookEndpoint,
  listWebhookEndpoints,
  registerWebhookEndpoint,
  removeWebhookEndpoint,
  revealWebhookSecret,
  updateWebhookEndpoint,
} from './webhooks.service.ts';

export const webhooksOperations = {
  registerWebhookEndpoint: write(
    async (context, { body }) => {
      const { endpoint, secret } = await registerWebhookEndpoint(context, body);
      return endpointView(endpoint, secret);
    },
    // The check looks up a host name over the network, so it runs before the transaction.
    {
      beforeTransaction: (context, { body }) => checkEndpointUrl(context, body.url),
      audited: ({ id }) => ({ subject: id }),
    },
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
      audited: ({ id }) => ({ subject: id }),
    },
  ),

  removeWebhookEndpoint: write(
    async (context, { path }) => {
      const { id } = await removeWebhookEndpoint(context, path.id);
      return { success: true, message: 'Webhook endpoint removed', data: { id, deleted: true } };
    },
    { audited: ({ data }) => ({ subject: data.id }) },
  ),

  rotateWebhookSecret: write(
    async (context, { path, body = {} }) => endpointView(await rotateWebhookSecret(context, path.id, body)),
    { audited: ({ id }) => ({ subject: id }) },
  ),

  completeWebhookSecretRotation: write(
    async (context, { path, body = {} }) => endpointView(await completeWebhookSecretRotation(context, path.id, body)),
    { audited: ({ id }) => ({ subject: id }) },
  ),

  revealWebhookSecret: write(
    async (context, { path, body }) => {
      await requireOwnCode(context, body.code);
      return revealedSecretView(await revealWebhookSecret(context, path.id));
    },
    {
      // The password is asked again, because a stranger may use a computer whose user is signed in. The check is slow,
      // so it runs before the transaction.
      beforeTransaction: (context, { body }) => requirePassword(context, body.password),
      audited: ({ id }) => ({ subject: id }),
      limits: callerGuessLimits,
    },
  ),
} satisfies Partial<Operations>;
