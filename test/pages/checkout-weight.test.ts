import test from 'ava';
import { browserForFile } from '../support/browser/browser.ts';
import { startCheckout, waitForHeading } from '../support/pages/checkout-page.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();
const openPage = browserForFile();

test.serial('the card form with styles, script and pictures has at most 50 KB, also in Arabic', async (t) => {
  for (const [locale, heading] of [
    ['en', 'Pay with card'],
    ['ar', 'الدفع بالبطاقة'],
  ] as const) {
    const page = await openPage(t);
    const details = { locale, callbackUrl: 'https://shop.example.com' };
    await page.goto((await startCheckout(server(), details)).checkoutUrl, { waitUntil: 'load' });
    await waitForHeading(page, heading);

    const files = await page.evaluate<[string, number][]>(loaded);
    const bytes = files.reduce((sum, [, size]) => sum + size, 0);
    t.true(files.length > 8, `only ${files.length} files`);
    t.true(bytes <= 50_000, `${bytes} bytes: ${JSON.stringify(files)}`);
    t.log(locale, bytes);
  }
});

/** Names and sizes of the page and of all files that it loaded, before any compression. */
const loaded = `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  .map(({ name, decodedBodySize }) => [name.split('/').pop(), decodedBodySize])`;
