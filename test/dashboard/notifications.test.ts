import test, { type ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { barriersOn } from '../support/browser/accessibility.ts';
import { browserForFile } from '../support/browser/browser.ts';
import { openDashboard } from '../support/dashboard/dashboard.ts';
import { serverForFile, usualSettings } from '../support/server/tillhook.ts';

const server = serverForFile(usualSettings);
const openPage = browserForFile();

test.serial('a user switches a kind of mail off, and it is off after a reload', async (t) => {
  const page = await openNotifications(t, 'administrator');
  t.deepEqual(await barriersOn(page), []);
  const kind = page.getByLabel('An endpoint works again');
  const save = page.getByRole('button', { name: 'Save' });
  t.true(await kind.isChecked());
  t.true(await save.isDisabled());

  await kind.uncheck();
  await save.click();
  await page.getByText('Saved.').waitFor();
  await page.reload();
  await kind.waitFor();

  t.false(await kind.isChecked());
  t.true(await page.getByLabel('An endpoint is failing').isChecked());
  await kind.check();
  await save.click();
  await page.getByText('Saved.').waitFor();
  await page.reload();
  await kind.waitFor();
  t.true(await kind.isChecked());
});

test.serial('each role is offered the mails that it gets', async (t) => {
  const support = await openNotifications(t, 'support');
  await support.getByLabel('Disputes').waitFor();
  t.is(await support.getByRole('checkbox').count(), 3);

  const viewer = await openNotifications(t, 'viewer');
  await viewer.getByText('Your role is viewer').waitFor();
  t.is(await viewer.getByRole('checkbox').count(), 0);
});

test.serial('a service without a mail server says that it sends no mails', async (t) => {
  const page = await openNotifications(t, 'developer');
  await page.getByText('This service sends no emails').waitFor();
  t.is(await page.getByRole('checkbox').count(), 4);
});

async function openNotifications(
  t: ExecutionContext,
  role: 'administrator' | 'developer' | 'support' | 'viewer',
): Promise<Page> {
  const page = await openPage(t);
  const merchant = await server().createMerchant();
  await openDashboard(page, server(), { merchant, path: '/test/account?tab=notifications', role });
  await page.getByRole('heading', { name: 'Notifications' }).waitFor();
  return page;
}
