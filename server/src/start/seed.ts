import type { Context, WriteContext } from '../context.ts';
import { newPassword } from '../kit/ids.ts';
import { createApiKey } from '../people/keys/api-keys.service.ts';
import { Merchant } from '../people/merchants/merchant.entity.ts';
import { changeSettings, createMerchant } from '../people/merchants/merchants.service.ts';
import { addDashboardUser } from '../people/sessions/dashboard-users.service.ts';
import { demoEmail } from '../people/sessions/demo-email.ts';
import type { DatabaseAccess } from '../platform/database/connection/connections.ts';
import { withMigrationLock } from '../platform/database/schema/migrate.ts';
import { inTransaction } from '../platform/database/transaction.ts';

/** The API key and the password are stored hashed, so they can be shown only now. */
export interface DemoCredentials {
  testKey: string;
  email: string;
  password: string;
}

/** Returns null if a merchant already exists. */
export async function seedDemo(context: Context, database: DatabaseAccess): Promise<DemoCredentials | null> {
  return withMigrationLock(database, () => inTransaction(context, createDemo));
}

async function createDemo(tx: WriteContext): Promise<DemoCredentials | null> {
  if ((await tx.em.count(Merchant)) > 0) return null;
  const merchant = createMerchant(tx, { name: 'Demo Store', currency: 'NGN' });
  changeSettings(merchant, { sendReceipts: true });
  const signIn = { email: demoEmail, password: newPassword() };
  await addDashboardUser(tx, merchant, signIn);
  const { key: testKey } = createApiKey(tx, merchant, { mode: 'test' });
  return { testKey, ...signIn };
}
