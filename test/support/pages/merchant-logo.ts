import { createHash } from 'node:crypto';
import type { Page } from 'playwright-core';
import { makeImage } from '../images/images.ts';
import type { TestServer } from '../server/tillhook.ts';

export async function giveLogo({ database }: TestServer, reference: string): Promise<void> {
  const png = await makeImage('png', 120, 40);
  const hash = createHash('sha256').update(png).digest('hex');
  const [payment] = await database.query<{ merchant_id: string }>(
    'select merchant_id from payment where reference = $1 order by id desc limit 1',
    [reference],
  );
  await database.query('insert into merchant_logo values ($1, $2, $3, now())', [payment?.merchant_id, hash, png]);
  await database.query('update merchant set logo_hash = $2 where id = $1', [payment?.merchant_id, hash]);
}

/** Serves an image as the logo, because the contract's examples name a logo that the mock does not have. */
export async function answerLogo(page: Page): Promise<void> {
  const body = await makeImage('png', 120, 40);
  await page.route('**/checkout/assets/logo-*.png', (route) => route.fulfill({ contentType: 'image/png', body }));
}
