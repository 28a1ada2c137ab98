import { withFreshEntityManager } from '@tillhook/server/src/context.ts';
import { getMerchant } from '@tillhook/server/src/people/merchants/merchants.service.ts';
import { addDashboardUser } from '@tillhook/server/src/people/sessions/dashboard-users.service.ts';
import { demoEmail } from '@tillhook/server/src/people/sessions/demo-email.ts';
import { inTransaction } from '@tillhook/server/src/platform/database/transaction.ts';
import type { Page } from 'playwright-core';
import type { OwnServer, ServerWithContext, TestServer } from '../server/tillhook.ts';
import { waitForHeading } from './checkout-page.ts';
import type { Scenes } from './scene.ts';

export const payTestCheckout = 'Pay a test checkout';

export const homeScenes: Scenes = {
  'the home page': async (page, server) => {
    await addDemoMerchant(server);
    await page.goto(`${server.url}/`);
    await page.getByRole('button', { name: payTestCheckout }).waitFor();
  },
  'the home page without a demo merchant': async (page, server) => {
    await removeDemoMerchant(server);
    await openHome(page, server);
  },
  'a test checkout that is refused': async (page, server) => {
    await addDemoMerchant(server);
    await openHome(page, server);
    await removeDemoMerchant(server);
    await page.getByRole('button', { name: payTestCheckout }).click();
    await waitForHeading(page, 'There is no demo merchant');
  },
};

async function openHome(page: Page, { url }: OwnServer): Promise<void> {
  await page.goto(`${url}/`);
  await waitForHeading(page, 'Tillhook');
}

/** The service recognises the demo merchant by the user that this function creates. */
export async function addDemoMerchant(server: ServerWithContext): Promise<string> {
  await removeDemoMerchant(server);
  const { id } = await server.createMerchant('Demo Store');
  await inTransaction(withFreshEntityManager(server.context), async (tx) => {
    await addDashboardUser(tx, await getMerchant(tx, id), { email: demoEmail, password: 'not used by any test' });
  });
  return id;
}

export async function removeDemoMerchant({ database }: TestServer): Promise<void> {
  await database.query('delete from dashboard_user where email = $1', [demoEmail]);
}
