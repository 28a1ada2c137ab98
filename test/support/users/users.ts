import type { Role } from '@tillhook/server/src/kit/permissions.ts';
import type { TestMerchant, TestServer } from '../server/tillhook.ts';

export const password = 'correct horse battery staple';

/** The password of the user is `password`. */
export async function createMerchantWithUser(
  server: TestServer,
  name: string,
): Promise<TestMerchant & { email: string }> {
  const merchant = await server.createMerchant(name);
  return { ...merchant, email: await addUser(server, merchant) };
}

/** The password of the new user is `password`. */
export function addUser({ arrange }: TestServer, { id: merchantId }: TestMerchant, role?: Role): Promise<string> {
  return arrange('addUser', { merchantId, password, ...(role && { role }) });
}
