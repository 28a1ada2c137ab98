/** The worst texts that merchants and customers can choose stay text, and make no page wider than its window. */
import test from 'ava';
import { browserForFile } from '../support/browser/browser.ts';
import { openDashboard } from '../support/dashboard/dashboard.ts';
import { addressOf, dashboardPages, fillPages } from '../support/dashboard/dashboard-pages.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();
const openPage = browserForFile();

const attack = '<script>document.title="taken"</script><img src=x onerror=document.title="taken">';
const hebrewAndArabic = 'שלום مكتبة آدا';

/** A text of this length with dangerous characters, and without a place for a line break. */
function worst(length: number): string {
  return `${hebrewAndArabic} 👩🏽‍🚀📚 ${attack}`.slice(0, length).padEnd(length, 'W');
}

const texts = {
  reference: 'W'.repeat(64),
  description: worst(200),
  email: `${'w'.repeat(64)}@${'w'.repeat(63)}.${'w'.repeat(63)}.example`,
  metadata: { [worst(40)]: worst(500), [attack.slice(0, 40)]: 'w'.repeat(500) },
  recipientName: worst(140),
  productName: worst(120),
};

test.serial('no typed text runs as a script or makes a page wider than 320 pixels', async (t) => {
  const merchant = await server().createMerchant(worst(120));
  const records = await fillPages(server(), merchant, texts);
  await server().arrange('createPaymentUnderReview', { merchantId: merchant.id });
  await server().arrange('createLiveTransfer', { merchantId: merchant.id });
  const page = await openPage(t, { viewport: { width: 360, height: 740 } });
  await openDashboard(page, server(), { merchant, path: '/test', role: 'operator' });
  const addresses = [
    ...dashboardPages.map((path) => addressOf(path, records)),
    '/test/settings?tab=sessions',
    '/test/settings?tab=audit',
    '/live/operator?tab=payments',
    '/live/operator?tab=merchants',
    `${addressOf('webhooks/$id', records)}?tab=secret`,
    `${addressOf('webhooks/$id', records)}?tab=code`,
  ];

  for (const address of addresses) {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(`${server().url}/dashboard${address}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' });
    t.is(await page.getByRole('main').getByRole('alert').count(), 0, address);
    t.deepEqual(await page.evaluate(tooWide), [], `${address} at 360`);
    await page.setViewportSize({ width: 320, height: 740 });
    t.deepEqual(await page.evaluate(tooWide), [], `${address} at 320`);
    t.not(await page.title(), 'taken', address);
  }
});

/** Finds the elements that make the page scroll sideways. */
const tooWide = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  const wide = [...document.querySelectorAll('body *')].filter((one) => one.getBoundingClientRect().right > clientWidth + 1);
  return [scrollWidth + ' wide', ...wide.slice(0, 5).map((one) => one.outerHTML.slice(0, 120))];
})()`;
