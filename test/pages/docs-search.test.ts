/** The search of the documentation, while typing and as a page. */
import { cutAtMatches, excerptAround, plainText } from '@tillhook/server/src/docs-portal/search-excerpt.ts';
import test, { type ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { browserForFile } from '../support/browser/browser.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();

const openPage = browserForFile();

interface Findings {
  found: { address: string; title: string[]; excerpt: string[]; isOfOperation: boolean }[];
  isPartial: boolean;
  nearest: string[];
}

async function findings(query: string): Promise<Findings> {
  const response = await fetch(`${server().url}/docs/search.json?q=${encodeURIComponent(query)}`);
  return (await response.json()) as Findings;
}

test('guides come before operations, and both are there', async (t) => {
  const { found } = await findings('refund');
  const kinds = found.map(({ isOfOperation }) => isOfOperation);

  t.is(found[0]?.address, '/refunds');
  t.deepEqual(kinds, kinds.toSorted());
  t.is(kinds.filter((isOfOperation) => isOfOperation).length, 3);
});

for (const name of ['createRefund', 'Refund a payment']) {
  test(`a reader who types the name of an operation finds it first: ${name}`, async (t) => {
    const { found } = await findings(name);

    t.is(found[0]?.address, '/reference/createRefund');
  });
}

test('a result shows the text around the match, and marks what matches', async (t) => {
  const { found } = await findings('clock');
  const match = found.find(({ address }) => address === '/verifying-signatures#when-it-does-not-match');
  const marked = match?.excerpt.filter((_part, index) => index % 2 === 1);

  t.deepEqual(new Set(marked), new Set(['clock']));
  t.regex(match?.excerpt.join('') ?? '', /^… .*If the clock of your machine is wrong.* …$/);
});

test('a text is cut at whole words, also when a word has a sign of regular expressions', (t) => {
  t.deepEqual(cutAtMatches('It costs $5+ a day, days on end', ['$5+', 'day']), [
    'It costs ',
    '$5+',
    ' a ',
    'day',
    ', days on end',
  ]);
});

test('an excerpt is whole words of the text, without marks of Markdown and without code', (t) => {
  const text = plainText(
    '# A *title*\n\n- [a link](/docs) and `code`\n\n| a | b |\n| --- | --- |\n\n```ts\nno\n```\nend',
  );
  const long = `${'before '.repeat(40)}match ${'after '.repeat(40)}`.trim();

  t.is(text, 'A title a link and code a · b end');
  t.regex(excerptAround(long, ['match']), /^… (before )+match( after)+ …$/);
  t.regex(excerptAround(long, ['other']), /^before( before)+ …$/);
  t.is(excerptAround(text, []), text);
});

test('when no page has all words, pages with some of them are found, and the answer says so', async (t) => {
  const { found, isPartial } = await findings('signature zzyzx');

  t.true(isPartial);
  t.is(found[0]?.address, '/verifier');
});

test('when nothing is found, similar words that find something are suggested', async (t) => {
  t.deepEqual(await findings('refnud'), { found: [], isPartial: false, nearest: ['refund'], isCut: false });
  t.deepEqual(await findings('zzyzx'), { found: [], isPartial: false, nearest: [], isCut: false });
});

for (const [kind, query] of [
  ['of 10,000 letters', 'x'.repeat(10_000)],
  ['of 10,000 words', 'webhook '.repeat(10_000).slice(0, 10_000)],
  ['of spaces', '   '],
  ['of nothing', ''],
  ['in Arabic', 'مرحبا بالعالم'],
  ['of emoji, cut in the middle of one', `${'a'.repeat(99)}🎉`],
  ['with markup', '<script>alert(1)</script>"'],
  ['with signs of regular expressions', '([.*+?^$|\\])-/{}'],
] as const) {
  test.serial(`a search ${kind} is answered, as a page and while typing`, async (t) => {
    const page = await openPage(t, { javaScriptEnabled: false });
    const response = await page.goto(`${server().url}/docs/search?q=${encodeURIComponent(query)}`);
    const { found } = await findings(query);

    const read = query.trim().slice(0, 100).toWellFormed();
    t.is(response?.status(), 200);
    t.is(await page.getByLabel('Search the documentation').inputValue(), read);
    if (read === '') t.true(await page.getByText('Type your search into the field above.').isVisible());
    else t.is(await page.locator('main bdi').textContent(), read);
    t.is(await page.locator('main script').count(), 0);
    t.true(Array.isArray(found));
  });
}

test.serial('without JavaScript, a search that finds nothing suggests words and pages', async (t) => {
  const page = await openPage(t, { javaScriptEnabled: false });
  await page.goto(`${server().url}/docs/search?q=refnud`);

  t.true(await page.getByText('Nothing was found for “refnud”.').isVisible());
  t.true(await page.getByRole('main').getByRole('link', { name: 'Quick start' }).isVisible());
  await page.getByRole('main').getByRole('link', { name: 'refund', exact: true }).click();

  t.is(await page.locator('mark').first().textContent(), 'Refunds');
  const headings = await page.getByRole('heading', { level: 2 }).allTextContents();
  t.deepEqual(headings.slice(-2), ['Guides', 'API reference']);
});

test.serial('the arrow keys choose among the results, and Escape closes them', async (t) => {
  const { field, page } = await typed(t, 'transfer');

  await page.getByRole('option').nth(2).waitFor();
  await field.press('ArrowDown');
  await field.press('ArrowDown');
  t.is(await page.getByRole('option', { selected: true }).getAttribute('id'), 'found-2');
  t.is(await field.getAttribute('aria-activedescendant'), 'found-2');
  await field.press('ArrowUp');
  await field.press('ArrowUp');
  await field.press('ArrowUp');
  t.is(await page.getByRole('option', { selected: true }).textContent(), 'All results');
  await field.press('Escape');

  t.false(await page.getByRole('listbox').isVisible());
  t.is(await field.inputValue(), 'transfer');
  t.is(await field.getAttribute('aria-expanded'), 'false');
});

test.serial('Enter opens the chosen result, and the last one leads to all results', async (t) => {
  const { field, page } = await typed(t, 'idempotency');

  await page.getByRole('option', { name: 'All results' }).waitFor();
  await field.press('ArrowUp');
  await field.press('Enter');

  await t.notThrowsAsync(page.waitForURL(`${server().url}/docs/search?q=idempotency`));
});

async function typed(t: ExecutionContext, text: string) {
  const page: Page = await openPage(t);
  await page.goto(`${server().url}/docs`);
  const field = page.getByRole('combobox', { name: 'Search the documentation' });
  await field.fill(text);
  return { page, field };
}
