import { pageOf } from '../../kit/pagination.ts';
import { type Operation, read, write } from '../../operation/operation.ts';
import { getOwnMerchant, lockOwnMerchant } from '../merchants/merchants.service.ts';
import { callerGuessLimits, requireOwnCode } from '../sessions/codes.service.ts';
import { accountView, apiKeyView, newApiKeyView } from './api-key.view.ts';
import * as apiKeys from './api-keys.service.ts';

export const getAccount: Operation<'getAccount'> = read(async (context) => {
  const { actor } = context.principal;
  return accountView(await apiKeys.getCallingKey(context), (actor.type === 'key' && actor.lastUsedAt) || null);
});

export const listApiKeys: Operation<'listApiKeys'> = read(async (context, { query }) => {
  const { records, total } = await apiKeys.listOwnApiKeys(context, pageOf(query));
  return { apiKeys: records.map(apiKeyView), total };
});

export const createApiKey: Operation<'createApiKey'> = write(
  async (context, { body: { code, ...wanted } }) => {
    apiKeys.requireRightToKey(context, wanted.scopes ?? null);
    await lockOwnMerchant(context);
    await requireOwnCode(context, code);
    const merchant = await getOwnMerchant(context);
    await apiKeys.checkKeyLimit(context);
    const created = apiKeys.createApiKey(context, merchant, { mode: context.principal.mode, ...wanted });
    await apiKeys.notifyOfKey(context, created.apiKey, 'created');
    return newApiKeyView(created);
  },
  { audited: ({ id }) => ({ subject: id }), limits: callerGuessLimits },
);

export const rollApiKey: Operation<'rollApiKey'> = write(
  async (context, { path, body: { overlapSeconds, code } = {} }) => {
    await lockOwnMerchant(context);
    await requireOwnCode(context, code);
    const overlapMs = overlapSeconds === undefined ? undefined : overlapSeconds * 1000;
    const old = await apiKeys.getOwnApiKey(context, path.id);
    apiKeys.requireRightToKey(context, old.scopes ?? null);
    await apiKeys.checkKeyLimit(context);
    const successor = apiKeys.rollApiKey(context, old, overlapMs);
    await apiKeys.notifyOfKey(context, old, 'rolled');
    return newApiKeyView(successor);
  },
  { audited: ({ rolledFrom }) => ({ subject: rolledFrom }), limits: callerGuessLimits },
);

export const revokeApiKey: Operation<'revokeApiKey'> = write(
  async (context, { path }) => {
    const apiKey = await apiKeys.getOwnApiKey(context, path.id);
    const wasRevoked = apiKey.revokedAt != null;
    apiKeys.revokeApiKey(context, apiKey);
    if (!wasRevoked) await apiKeys.notifyOfKey(context, apiKey, 'revoked');
    return apiKeyView(apiKey);
  },
  { audited: ({ id }) => ({ subject: id }) },
);
