import type { Context, Principal, WriteContext } from '../context.ts';
import { AppError } from '../kit/errors.ts';
import { newId } from '../kit/ids.ts';
import type { Mode } from '../kit/mode.ts';
import { ApiKey } from './api-key.entity.ts';
import { hashApiKey, looksLikeApiKey, newApiKey } from './api-key.ts';
import type { Merchant } from './merchant.entity.ts';

/** Whose key this is. Throws `invalid_api_key` when it is nobody's. */
export async function identify(context: Context, key: string): Promise<Principal> {
  const found = looksLikeApiKey(key) && (await context.em.findOne(ApiKey, { hash: hashApiKey(key) }));
  if (!found) throw new AppError('invalid_api_key', 'This API key is not valid');
  return { merchantId: found.merchant.id, mode: found.mode };
}

/** Makes a key and returns it: the only moment at which it can be read. */
export function issueApiKey(context: WriteContext, merchant: Merchant, mode: Mode): string {
  const key = newApiKey(mode);
  const apiKey = Object.assign(new ApiKey(), {
    id: newId(),
    merchant,
    mode,
    hash: hashApiKey(key),
    prefix: key.slice(0, 12),
    last4: key.slice(-4),
    createdAt: context.clock.now(),
  });
  context.em.persist(apiKey);
  return key;
}
