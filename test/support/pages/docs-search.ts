import type { ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import type { TestServer } from '../server/tillhook.ts';

interface Findings {
  found: { address: string; title: string[]; excerpt: string[]; isOfOperation: boolean }[];
  isPartial: boolean;
  nearest: string[];
}

export async function findings({ url }: { url: string }, query: string): Promise<Findings> {
  const response = await fetch(`${url}/docs/search.json?q=${encodeURIComponent(query)}`);
  return (await response.json()) as Findings;
}

export const oddSearches = {
  'of 10,000 letters': 'x'.repeat(10_000),
  'of 10,000 words': 'webhook '.repeat(10_000).slice(0, 10_000),
  'of spaces': '   ',
  'of nothing': '',
  'in Arabic': 'مرحبا بالعالم',
  'of emoji, cut in the middle of one': `${'a'.repeat(99)}🎉`,
  'with markup': '<script>alert(1)</script>"',
  'with signs of regular expressions': '([.*+?^$|\\])-/{}',
};

export const searchTitle = (kind: keyof typeof oddSearches) =>
  `a search ${kind} is answered, as a page and while typing`;

export async function checkSearch(
  t: ExecutionContext,
  page: Page,
  { server, kind }: { server: TestServer; kind: keyof typeof oddSearches },
): Promise<void> {
  const query = oddSearches[kind];
  const response = await page.goto(`${server.url}/docs/search?q=${encodeURIComponent(query)}`);
  const { found } = await findings(server, query);

  const read = query.trim().slice(0, 100).toWellFormed();
  t.is(response?.status(), 200);
  t.is(await page.getByLabel('Search the documentation').inputValue(), read);
  if (read === '') t.true(await page.getByText('Type your search into the field above.').isVisible());
  else t.is(await page.locator('main bdi').textContent(), read);
  t.is(await page.locator('main script').count(), 0);
  t.true(Array.isArray(found));
}
