import { createApiKey } from './auth/keys/api-keys.service.ts';
import { Merchant } from './auth/merchants/merchant.entity.ts';
import { createMerchant } from './auth/merchants/merchants.service.ts';
import { addDashboardUser } from './auth/sessions/dashboard-users.service.ts';
import type { Context } from './context.ts';
import { inTransaction } from './database/transaction.ts';
import { newPassword } from './kit/ids.ts';

/** What opens the demo merchant's doors: readable only now, stored hashed. */
export interface DemoCredentials {
  testKey: string;
  email: string;
  password: string;
}

/** Makes one demo merchant in an empty database; null where there is a merchant already. */
export async function seedDemo(context: Context): Promise<DemoCredentials | null> {
  return inTransaction(context, async (writing) => {
    if ((await writing.em.count(Merchant)) > 0) return null;
    const merchant = createMerchant(writing, { name: 'Demo Store', currency: 'NGN' });
    const signIn = { email: 'demo@example.com', password: newPassword() };
    await addDashboardUser(writing, merchant, signIn);
    const { key: testKey } = createApiKey(writing, merchant, { mode: 'test' });
    return { testKey, ...signIn };
  });
}
