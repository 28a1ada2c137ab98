import test from 'ava';
import type { DedicatedServer } from '../server/tillhook.ts';

/** The merchant of the domain `example.com`, by OIDC_DOMAINS of the tests. */
export const listedMerchantId = '019aa3c4-1111-7c52-8f3a-1b2c3d4e5f60';

export const firstPassword = 'correct horse battery staple';

export function listedMerchantForFile(server: () => DedicatedServer): void {
  let isMade = false;

  test.beforeEach(async () => {
    if (isMade) return;
    isMade = true;
    const { id } = await server().createMerchant('Example Company');
    const copy = `insert into merchant select (jsonb_populate_record(merchant, jsonb_build_object('id', $2::text))).*
      from merchant where id = $1`;
    await server().database.query(copy, [id, listedMerchantId]);
  });
}

export async function addUserWithAddress(server: DedicatedServer, email: string, merchantId = listedMerchantId) {
  const made = await server.arrange('addUser', { merchantId, password: firstPassword });
  await server.database.query('update dashboard_user set email = $2 where email = $1', [made, email]);
  return email;
}
