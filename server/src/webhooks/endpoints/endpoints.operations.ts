import { type Operation, read, write } from '../../operation/operation.ts';
import { callerGuessLimits, requireOwnCode, type SecondStep } from '../../people/sessions/codes.service.ts';
import { requireProof } from '../../people/sessions/require-proof.ts';
import { endpointView, revealedSecretView } from './endpoint.view.ts';
import * as webhooks from './endpoints.service.ts';
import * as secretRotation from './secret-rotation.service.ts';

export const registerWebhookEndpoint: Operation<'registerWebhookEndpoint'> = write(
  async (context, { body }) => {
    const { endpoint, secret } = await webhooks.registerWebhookEndpoint(context, body);
    return endpointView(endpoint, secret);
  },
  // Checking the URL resolves its host name over the network, so the check runs before the transaction.
  {
    before: (context, { body }) => webhooks.checkEndpointUrl(context, body.url),
    audited: ({ id }) => ({ subject: id }),
  },
);

export const listWebhookEndpoints: Operation<'listWebhookEndpoints'> = read(async (context) => {
  const endpoints = await webhooks.listWebhookEndpoints(context);
  return { webhooks: endpoints.map((endpoint) => endpointView(endpoint)), total: endpoints.length };
});

export const getWebhookEndpoint: Operation<'getWebhookEndpoint'> = read(async (context, { path }) =>
  endpointView(await webhooks.getWebhookEndpoint(context, path.id)),
);

export const updateWebhookEndpoint: Operation<'updateWebhookEndpoint'> = write(
  async (context, { path, body }) => endpointView(await webhooks.updateWebhookEndpoint(context, path.id, body)),
  {
    before: async (context, { body: { url } }) => {
      if (url !== undefined) await webhooks.checkEndpointUrl(context, url);
    },
    audited: ({ id }) => ({ subject: id }),
  },
);

export const removeWebhookEndpoint: Operation<'removeWebhookEndpoint'> = write(
  async (context, { path }) => {
    const { id } = await webhooks.removeWebhookEndpoint(context, path.id);
    return { success: true, message: 'Webhook endpoint removed', data: { id, deleted: true } };
  },
  { audited: ({ data }) => ({ subject: data.id }) },
);

export const rotateWebhookSecret: Operation<'rotateWebhookSecret'> = write(
  async (context, { path, body = {} }) =>
    endpointView(await secretRotation.rotateWebhookSecret(context, path.id, body)),
  { audited: ({ id }) => ({ subject: id }) },
);

export const completeWebhookSecretRotation: Operation<'completeWebhookSecretRotation'> = write(
  async (context, { path, body = {} }) =>
    endpointView(await secretRotation.completeWebhookSecretRotation(context, path.id, body)),
  { audited: ({ id }) => ({ subject: id }) },
);

export const revealWebhookSecret: Operation<'revealWebhookSecret'> = write(
  async (context, { path }, code: SecondStep) => {
    await requireOwnCode(context, code);
    return revealedSecretView(await webhooks.revealWebhookSecret(context, path.id));
  },
  {
    // The password is asked again, because another person may use the computer of a signed-in user. The check is slow,
    // so it runs before the transaction.
    before: (context, { body }) => requireProof(context, body),
    audited: ({ id }) => ({ subject: id }),
    limits: callerGuessLimits,
  },
);
