/**
 * A proxy serves this server under a path, which it removes: `PUBLIC_URL=https://shop.example.com/tillhook`. Every
 * address on every kind of page stays below that path.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import { freePort } from '../support/network/free-port.ts';
import { passOn } from '../support/network/pass-on.ts';
import { startServer } from '../support/server/tillhook.ts';

test('behind a proxy that adds a path, every address on a page is below it and answers', async (t) => {
  const port = await freePort();
  const proxy = createServer((incoming, response) => {
    const path = incoming.url?.replace(/^\/tillhook(?=[/?]|$)/, '');
    passOn(incoming, response, `http://127.0.0.1:${port}${path === incoming.url ? '/nothing' : path}`);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  t.teardown(() => proxy.close());
  const publicUrl = `http://localhost:${(proxy.address() as AddressInfo).port}/tillhook`;
  const server = await startServer(t, { PORT: String(port), PUBLIC_URL: `${publicUrl}/`, SEED_DEMO: 'true' });
  const { client } = await server.createMerchant();
  const { data } = await client.checkout.create({ email: 'ada@example.com', amount: 1 });
  const { checkoutUrl } = data;
  t.true(checkoutUrl.startsWith(`${publicUrl}/checkout/`), checkoutUrl);

  const pages = [
    `${publicUrl}/`,
    `${publicUrl}/docs`,
    `${publicUrl}/docs/errors`,
    `${publicUrl}/dashboard`,
    checkoutUrl,
  ];
  const found = new Set<string>();
  for (const page of pages) {
    const response = await fetch(page, { headers: { accept: 'text/html' } });
    t.is(response.status, 200, page);
    for (const address of addressesIn(await response.text(), page)) found.add(address);
  }
  const own = [...found].filter((address) => new URL(address).host === new URL(publicUrl).host);
  t.true(own.length > 50, `${own.length} addresses`);
  t.deepEqual(
    own.filter((address) => !`${address}/`.startsWith(`${publicUrl}/`)),
    [],
  );
  const missing: string[] = [];
  for (const address of own) {
    // A form sends to it, so it has no page.
    const method = address.endsWith('/test-checkout') ? 'POST' : 'HEAD';
    const { status } = await fetch(address, { method, headers: { accept: 'text/html' } });
    if (status === 404) missing.push(address);
  }
  t.deepEqual(missing, []);
});

function addressesIn(html: string, page: string): string[] {
  return [...html.matchAll(/\s(?:href|src|action|content)="([^"#][^"]*)"/g)].flatMap(([attribute, address = '']) => {
    if (/\scontent=/.test(attribute) && !/^https?:/.test(address)) return [];
    const url = new URL(address.replaceAll('&amp;', '&'), page);
    url.hash = '';
    return /^https?:$/.test(url.protocol) ? [url.href] : [];
  });
}
