import { issueApiKey } from '../auth/auth.service.ts';
import { addDashboardUser } from '../auth/dashboard-session.service.ts';
import { Merchant } from '../auth/merchant.entity.ts';
import type { Context } from '../context.ts';
import { newId, newPassword } from '../kit/ids.ts';
import { inTransaction } from './transaction.ts';

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
    const createdAt = writing.clock.now();
    const merchant = Object.assign(new Merchant(), { id: newId(), name: 'Demo Store', currency: 'NGN', createdAt });
    writing.em.persist(merchant);
    const signIn = { email: 'demo@example.com', password: newPassword() };
    await addDashboardUser(writing, merchant, signIn);
    return { testKey: issueApiKey(writing, merchant, 'test'), ...signIn };
  });
}
