import { pageOf } from '../../kit/pagination.ts';
import { type Operations, read, write } from '../../operation/operation.ts';
import { getOwnMerchant } from '../merchants/merchants.service.ts';
import { callerGuessLimits, requireOwnCode } from '../sessions/codes.service.ts';
import { accountView, apiKeyView, newApiKeyView } from './api-key.view.ts';
import {
  checkKeyLimit,
  createApiKey,
  getCallingKey,
  getOwnApiKey,
  listOwnApiKeys,
  revokeApiKey,
  rollApiKey,
} from './api-keys.service.ts';

export const apiKeysOperations = {
  getAccount: read(async (context) => {
    const { actor } = context.principal;
    return accountView(await getCallingKey(context), (actor.type === 'key' && actor.lastUsedAt) || null);
  }),

  listApiKeys: read(async (context, { query }) => {
    const { records, total } = await listOwnApiKeys(context, pageOf(query));
    return { apiKeys: records.map(apiKeyView), total };
  }),

  createApiKey: write(
    async (context, { body: { code, ...wanted } }) => {
      await requireOwnCode(context, code);
      const merchant = await getOwnMerchant(context);
      await checkKeyLimit(context);
      return newApiKeyView(createApiKey(context, merchant, { mode: context.principal.mode, ...wanted }));
    },
    { audited: ({ id }) => ({ subject: id }), limits: callerGuessLimits },
  ),

  rollApiKey: write(
    async (context, { path, body: { overlapSeconds, code } = {} }) => {
      await requireOwnCode(context, code);
      const overlapMs = overlapSeconds === undefined ? undefined : overlapSeconds * 1000;
      const old = await getOwnApiKey(context, path.id);
      await checkKeyLimit(context);
      return newApiKeyView(rollApiKey(context, old, overlapMs));
    },
    { audited: ({ rolledFrom }) => ({ subject: rolledFrom }), limits: callerGuessLimits },
  ),

  revokeApiKey: write(
    async (context, { path }) => {
      const apiKey = await getOwnApiKey(context, path.id);
      revokeApiKey(context, apiKey);
      return apiKeyView(apiKey);
    },
    { audited: ({ id }) => ({ subject: id }) },
  ),
} satisfies Partial<Operations>;
