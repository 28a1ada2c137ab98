import test from 'ava';
import { browserForFile } from '../support/browser/browser.ts';
import { startCheckout, waitForHeading } from '../support/pages/checkout-page.ts';
import { giveLogo } from '../support/pages/merchant-logo.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();
const openPage = browserForFile();

test.serial(
  'the card form with scripts, a small logo and a colour is sent in at most 40 KB, also in Arabic',
  async (t) => {
    for (const [locale, heading] of [
      ['en', 'Pay with card'],
      ['ar', 'الدفع بالبطاقة'],
    ] as const) {
      const page = await openPage(t);
      const details = { locale, callbackUrl: 'https://shop.example.com' };
      const { checkoutUrl, reference } = await startCheckout(server(), details);
      await giveLogo(server(), reference);
      await server().database.query(
        "update merchant set colour = '#1f4fbf' where id = (select merchant_id from payment where reference = $1)",
        [reference],
      );
      await page.goto(checkoutUrl, { waitUntil: 'load' });
      await waitForHeading(page, heading);

      const files = await page.evaluate<[string, number][]>(loaded);
      const bytes = files.reduce((sum, [, size]) => sum + size, 0);
      t.true(files.length > 10, `only ${files.length} files`);
      // A larger logo than this one may take what is left to 50 KB.
      t.true(bytes <= 40_000, `${bytes} bytes: ${JSON.stringify(files)}`);
      t.log(locale, bytes);
    }
  },
);

/** Names and sizes of the page and of all files that it loaded, as they were sent. */
const loaded = `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  .map(({ name, encodedBodySize }) => [name.split('/').pop(), encodedBodySize])`;
