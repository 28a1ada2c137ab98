import { issueApiKey } from '../auth/auth.service.ts';
import { Merchant } from '../auth/merchant.entity.ts';
import type { Context } from '../context.ts';
import { newId } from '../kit/ids.ts';
import { inTransaction } from './transaction.ts';

/** Makes one demo merchant in an empty database and returns its test key; null where there is a merchant already. */
export async function seedDemo(context: Context): Promise<string | null> {
  return inTransaction(context, async (writing) => {
    if ((await writing.em.count(Merchant)) > 0) return null;
    const createdAt = writing.clock.now();
    const merchant = Object.assign(new Merchant(), { id: newId(), name: 'Demo Store', currency: 'NGN', createdAt });
    writing.em.persist(merchant);
    return issueApiKey(writing, merchant, 'test');
  });
}
