import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { sdkEntry } from '@tillhook/docs/src/assets.ts';
import { renderMarkdown } from '@tillhook/docs/src/markdown.ts';
import { readContract, readContractFrom } from '@tillhook/openapi';
import { cutAtMatches, excerptAround, plainText } from '@tillhook/server/src/pages/docs/search.ts';
import test from 'ava';
import { parse } from 'yaml';
import { findings } from '../support/pages/docs-search.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();

const operations = readContract().model.operations;

const byName = (path: string) => server().url + path;

test.serial(
  'every link of every page leads to an existing page and anchor, and no page loads from another origin',
  async (t) => {
    const pages = await crawl('/docs');

    t.true(operations.every(({ id }) => pages.has(`/docs/reference/${id}`)));
    for (const [path, { status, type, markup }] of pages) {
      t.is(status, 200, path);
      if (!type.startsWith('text/html') || !path.startsWith('/docs')) continue;
      t.false(/\{\{|_OF_THIS_|of-this-service/.test(markup), path);
      for (const [, source = ''] of markup.matchAll(/<(?:script|img|iframe)[^>]* src="([^"]*)"/g))
        t.regex(source, /^\/docs/);
      for (const [path2, anchor] of linksOn(markup, path)) {
        if (anchor === '') continue;
        t.true(pages.get(path2)?.markup.includes(` id="${anchor}"`), `${path}: ${path2}#${anchor}`);
      }
    }
  },
);

test.serial(
  'a guide is small, is also available as Markdown, has a Content-Security-Policy without unsafe sources, and is cached by its ETag',
  async (t) => {
    const first = await fetch(byName('/docs/quick-start'));
    const text = await first.text();
    const policy = first.headers.get('content-security-policy') ?? '';
    const headers = { 'If-None-Match': first.headers.get('etag') ?? '', 'Cache-Control': 'max-age=0' };
    const again = await fetch(byName('/docs/quick-start'), { headers });

    const [, markdownPath = ''] = /<link rel="alternate" type="text\/markdown" href="([^"]*)"/.exec(text) ?? [];
    t.true((await (await fetch(byName(markdownPath))).text()).startsWith('# Quick start'));
    t.true(gzipSync(text).length < 30_000);
    t.is(again.status, 304);
    t.regex(policy, /script-src 'self';/);
    t.false(policy.includes('unsafe'));
  },
);

test.serial('llms.txt lists every operation, and each of its links leads to Markdown', async (t) => {
  const [text, same] = await Promise.all(
    ['/llms.txt', '/docs/llms.txt'].map(async (path) => (await fetch(byName(path))).text()),
  );
  const links = [...(text ?? '').matchAll(/\]\((.*?\.md)\)/g)].map(([, address = '']) => address);

  t.is(text, same);
  t.regex(text ?? '', /^# Tillhook\n\n> /);
  for (const { id } of operations) t.true(links.includes(byName(`/docs/reference/${id}.md`)), id);
  for (const address of links) {
    const response = await fetch(address);
    t.is(response.status, 200, address);
    t.regex(response.headers.get('content-type') ?? '', /^text\/markdown/);
    const markdown = await response.text();
    t.regex(markdown, /^# /);
    // Readers must not see the mark `Choice:` of the contract.
    t.false(markdown.includes('Choice:'), address);
  }
});

test.serial(
  'llms-full.txt has the text of every page, and every page links to it and to its own Markdown',
  async (t) => {
    const [full, same] = await Promise.all(
      ['/llms-full.txt', '/docs/llms-full.txt'].map(async (path) => (await fetch(byName(path))).text()),
    );

    t.is(full, same);
    const list = await (await fetch(byName('/llms.txt'))).text();
    const paths = [...list.matchAll(/\/docs\/(\S+)\.md\)/g)].map(([, path = '']) => path);
    t.true(paths.length > operations.length + 20);
    t.deepEqual(list.match(/^[^-#>\n].*$/gm)?.length, 2);
    for (const path of paths) {
      const markup = await (await fetch(byName(`/docs/${path === 'overview' ? '' : path}`))).text();
      for (const link of [`/docs/${path}.md`, '/docs/llms.txt', '/docs/llms-full.txt'])
        t.true(markup.includes(`<a href="${link}">`), `${path}: ${link}`);
      const page = await (await fetch(byName(`/docs/${path}.md`))).text();
      t.true(full?.includes(page.trim()), path);
    }
  },
);

test.serial('the page of each operation has its path, its status codes and samples of calls', async (t) => {
  for (const { id, path, sdkMethod, answers } of operations) {
    const text = await (await fetch(byName(`/docs/reference/${id}`))).text();
    const words = [path.replaceAll('&', '&amp;'), 'curl', sdkMethod ?? '', ...[...answers.keys()].map(String)];
    for (const word of words) t.true(text.includes(word), `${id}: ${word}`);
  }
});

test.serial('the Markdown page of an operation has its fields, its error codes and its samples', async (t) => {
  const text = await (await fetch(byName('/docs/reference/createTransfer.md'))).text();

  for (const words of ['`recipient.accountNumber`', '`insufficient_funds`', 'tillhook.transfers.create(', 'curl ']) {
    t.true(text.includes(words), words);
  }
});

test('the changelog names each operation that the released contract lacks', async (t) => {
  const released = readContractFrom(
    fileURLToPath(import.meta.resolve('@tillhook/openapi').replace(/index\.ts$/, 'released/openapi.yaml')),
  );
  const known = new Set(released.model.operations.map(({ id }) => id));
  const text = await (await fetch(byName('/docs/changelog.md'))).text();

  for (const { id } of operations.filter((operation) => !known.has(operation.id)))
    t.true(text.includes(`- \`${id}\``), id);
  t.regex(text, /^- `ErrorCode`, `enum`, which gained .*`rate_limited`.*: .*`createCheckout`, .*`listPayments`/m);
  t.false(text.includes('`x-'));
});

test('the changelog has notes for clients: answers may get new fields, states get no new values, and integers have formats such as int64', async (t) => {
  const text = await (await fetch(byName('/docs/changelog.md'))).text();
  const [, notes = ''] = /^### What clients must know about 0\.2\.0\n\n((?:- .*\n)+)/m.exec(text) ?? [];

  const titles = [...notes.matchAll(/^- \*\*(.+?)\*\*/gm)].map(([, title]) => title);
  for (const title of ['Answers and events are open.', 'States are closed.', 'Integers have sizes.']) {
    t.true(titles.includes(title), title);
  }
  t.true(notes.includes('Ignore a field that you do not know.') && notes.includes('`int64`'));
});

test('each version in the changelog begins with its date and what users can do, and collapses the list of differences', async (t) => {
  const text = await (await fetch(byName('/docs/changelog'))).text();

  t.regex(text, /<h2 id="0-2-0">0\.2\.0<\/h2>\s*<p><em>21 November 2026<\/em><\/p>\s*<p>You can now give money back/);
  t.regex(text, /<details>\s*<summary>All differences from 0\.1\.0<\/summary>[\s\S]*<\/details>\s*<h2 id="0-1-0">/);
  t.true(text.includes('Nothing is deprecated.'));
});

test('the overview has a diagram with a text alternative, for wide and narrow screens, in the colours of the pages', async (t) => {
  const text = await (await fetch(byName('/docs'))).text();
  const [, narrow = '', wide = '', alternative = ''] =
    /<picture data-themes><source media="[^"]*" srcset="([^"]*)"><img src="([^"]*)" alt="([^"]*)"><\/picture>/.exec(
      text,
    ) ?? [];

  for (const word of ['Your server', 'customer', 'hosted page', 'webhook']) t.true(alternative.includes(word), word);
  t.not(narrow, wide);
  for (const address of [narrow, wide]) {
    const response = await fetch(byName(address));
    const picture = await response.text();
    const used = [...picture.matchAll(/var\((--[a-z-]+)\)/g)].map(([, name = '']) => name);
    t.is(response.headers.get('content-type'), 'image/svg+xml; charset=utf-8', address);
    for (const name of used) t.true(picture.includes(`${name}: `), name);
    t.true(used.length > 5);
    t.true(picture.includes('prefers-color-scheme: dark'));
    for (const theme of ['light', 'dark']) t.true(picture.includes(`<g id="${theme}"/>`), theme);
  }
});

test("the overview has a program that calls the SDK's methods, and links to each way to use the service", async (t) => {
  const text = await (await fetch(byName('/docs/overview.md'))).text();
  const { sdkMethod } = operations.find(({ id }) => id === 'createCheckout') ?? {};

  t.true(text.includes(`await tillhook.${sdkMethod}({`));
  for (const path of ['/docs/sdk', '/docs/quick-start', '/dashboard', '/docs/mock'])
    t.true(text.includes(`](${byName(path)})`), path);
});

test('style sheets and scripts are compressed, and cached by their ETag', async (t) => {
  const kinds = { 'docs.css': 'text/css', 'docs.js': 'text/javascript', [`sdk/${sdkEntry}`]: 'text/javascript' };
  for (const [file, type] of Object.entries(kinds)) {
    const address = byName(`/docs/assets/${file}`);
    const { headers } = await fetch(address);
    const etag = headers.get('etag') ?? '';
    const again = await fetch(address, { headers: { 'If-None-Match': etag, 'Cache-Control': 'max-age=0' } });

    t.is(headers.get('content-encoding'), 'gzip', file);
    t.is(headers.get('content-type'), `${type}; charset=utf-8`, file);
    t.is(again.status, 304, file);
  }
  t.is((await fetch(byName('/docs/assets/..%2Fportal.ts'))).status, 404);
});

test("the documentation shows the SDK's receivers unchanged", async (t) => {
  const text = await (await fetch(byName('/docs/verifying-signatures.md'))).text();

  for (const name of ['express', 'fastify', 'next', 'hono', 'workers', 'lambda', 'next-pages']) {
    const recipe = new URL(`./recipes/${name}.ts`, import.meta.resolve('@tillhook/sdk/package.json'));
    t.true(text.includes(readFileSync(recipe, 'utf8').trim()), name);
  }
});

test('an unknown path in the documentation gets 404, with a page for readers and with JSON for programs', async (t) => {
  const [page, json] = await Promise.all(
    ['text/html', '*/*'].map((accept) => fetch(byName('/docs/nowhere'), { headers: { accept } })),
  );

  t.deepEqual([page?.status, json?.status], [404, 404]);
  t.regex((await page?.text()) ?? '', /<h1>There is no such page/);
  t.regex((await json?.text()) ?? '', /"code":"route_not_found"/);
});

test('an unknown path outside the documentation gets a page in browsers, and JSON in programs and below /api', async (t) => {
  const ask = (path: string, accept: string) => fetch(byName(path), { headers: { accept } });
  const [page, ofProgram, ofApi, posted] = await Promise.all([
    ask('/nowhere', 'text/html,*/*;q=0.8'),
    ask('/nowhere', '*/*'),
    ask('/api/v1/nowhere', 'text/html'),
    fetch(byName('/nowhere'), { method: 'POST', headers: { accept: 'text/html' } }),
  ]);

  t.deepEqual([page?.status, ofProgram?.status, ofApi?.status, posted?.status], [404, 404, 404, 404]);
  const text = (await page?.text()) ?? '';
  for (const address of ['/docs', '/dashboard']) t.true(text.includes(`<a href="${address}">`), address);
  t.regex(page?.headers.get('content-security-policy') ?? '', /default-src 'none'/);
  for (const answer of [ofProgram, ofApi, posted]) t.regex(await answer.text(), /"code":"route_not_found"/);
});

test('HTML in Markdown is shown as text, and unsafe links are removed', (t) => {
  const addressOf = (name: string) => (name === 'createCheckout' ? '/docs/reference/createCheckout' : undefined);
  const render = (markdown: string) => String(renderMarkdown(markdown, { base: '/pay', addressOf }));

  t.is(render('<b>bold</b> &amp;').includes('<b>'), false);
  t.is(render('[a](javascript:alert(1)) [b](//evil.example)'), '<p>a b</p>\n');
  t.regex(
    render('[a](/docs/errors) and `createCheckout`'),
    /href="\/pay\/docs\/errors".*href="\/pay\/docs\/reference\/createCheckout"/,
  );
  t.regex(render('![a](https://example.com/a.png)'), /^<p>a/);
});

interface Crawled {
  status: number;
  type: string;
  markup: string;
}

async function crawl(first: string): Promise<Map<string, Crawled>> {
  const pages = new Map<string, Crawled>();
  const waiting = new Set([first]);
  for (const path of waiting) {
    const response = await fetch(byName(path));
    const [type, markup] = [response.headers.get('content-type') ?? '', await response.text()];
    pages.set(path, { status: response.status, type, markup });
    if (type.startsWith('text/html')) for (const [next] of linksOn(markup, path)) waiting.add(next);
  }
  return pages;
}

function linksOn(markup: string, path: string): [path: string, anchor: string][] {
  return [...markup.matchAll(/<(?:a|link)[^>]* href="([^"]*)"/g)]
    .map(([, href = '']) => new URL(href, byName(path)))
    .filter(({ origin }) => origin === server().url)
    .map(({ pathname, hash }) => [pathname, hash.slice(1)]);
}

test.serial('the former path of the benchmarks and its Markdown path redirect to the current page', async (t) => {
  for (const end of ['', '.md']) {
    const response = await fetch(`${server().url}/docs/benchmarks${end}`, { redirect: 'manual' });

    t.is(response.status, 301);
    t.is(response.headers.get('location'), `/docs/benchmarks-and-chaos${end}`);
  }
});

interface ServedDocument {
  openapi: string;
  servers: { url: string }[];
  paths: object;
}

test.serial('the contract is served to programs as YAML, as JSON, and in OpenAPI 3.0', async (t) => {
  const [yaml, json, json30] = await Promise.all(
    ['/openapi.yaml', '/openapi.json', '/openapi-3.0.json'].map((path) => fetch(`${server().url}${path}`)),
  );

  t.deepEqual([yaml?.status, json?.status, json30?.status], [200, 200, 200]);
  t.regex(yaml?.headers.get('content-type') ?? '', /^application\/yaml/);
  t.regex(json?.headers.get('content-type') ?? '', /^application\/json/);
  t.is(json?.headers.get('access-control-allow-origin'), '*');
  const served = (await json?.json()) as ServedDocument;
  t.deepEqual(parse((await yaml?.text()) ?? ''), served);
  t.is(served.servers[0]?.url, server().url);
  const older = (await json30?.json()) as ServedDocument;
  t.regex(older.openapi, /^3\.0\./);
  t.deepEqual([older.servers, Object.keys(older.paths)], [served.servers, Object.keys(served.paths)]);
});

test.serial(
  'the page of an operation may call this server and the mock, and the page of a guide may call no server',
  async (t) => {
    const policies = await Promise.all(
      ['reference/createCheckout', 'reference', 'quick-start'].map(async (path) => {
        const { headers } = await fetch(`${server().url}/docs/${path}`);
        return /connect-src [^;]*/.exec(headers.get('content-security-policy') ?? '')?.[0];
      }),
    );

    t.deepEqual(policies, ["connect-src 'self' http://localhost:4010", "connect-src 'self'", "connect-src 'self'"]);
  },
);

test('search results include guides and operations, and list guides first', async (t) => {
  const { found } = await findings(server(), 'refund');
  const kinds = found.map(({ isOfOperation }) => isOfOperation);

  t.is(found[0]?.address, '/refunds');
  t.deepEqual(kinds, kinds.toSorted());
  t.is(kinds.filter((isOfOperation) => isOfOperation).length, 3);
});

for (const name of ['createRefund', 'Refund a payment']) {
  test(`a reader who searches for the name of an operation finds its page first: ${name}`, async (t) => {
    const { found } = await findings(server(), name);

    t.is(found[0]?.address, '/reference/createRefund');
  });
}

test('a search result shows the text around the match, and marks the matched words', async (t) => {
  const { found } = await findings(server(), 'clock');
  const match = found.find(({ address }) => address === '/verifying-signatures#when-it-does-not-match');
  const marked = match?.excerpt.filter((_part, index) => index % 2 === 1);

  t.deepEqual(new Set(marked), new Set(['clock']));
  t.regex(match?.excerpt.join('') ?? '', /^… .*If the clock of your machine is wrong.* …$/);
});

test('the text of a search result is split before and after each matched word, even if the word contains a special character of regular expressions', (t) => {
  t.deepEqual(cutAtMatches('It costs $5+ a day, days on end', ['$5+', 'day']), [
    'It costs ',
    '$5+',
    ' a ',
    'day',
    ', days on end',
  ]);
});

test('an excerpt consists of whole words of the text, without Markdown markup and without code', (t) => {
  const text = plainText(
    '# A *title*\n\n- [a link](/docs) and `code`\n\n| a | b |\n| --- | --- |\n\n```ts\nno\n```\nend',
  );
  const long = `${'before '.repeat(40)}match ${'after '.repeat(40)}`.trim();

  t.is(text, 'A title a link and code a · b end');
  t.regex(excerptAround(long, ['match']), /^… (before )+match( after)+ …$/);
  t.regex(excerptAround(long, ['other']), /^before( before)+ …$/);
  t.is(excerptAround(text, []), text);
});

test('when no page has all words of a query, the search finds pages with some of the words and says that words are missing', async (t) => {
  const { found, isPartial } = await findings(server(), 'signature zzyzx');

  t.true(isPartial);
  t.is(found[0]?.address, '/verifier');
});

test('when a search finds nothing, it suggests similar words that are in the documentation', async (t) => {
  t.deepEqual(await findings(server(), 'refnud'), { found: [], isPartial: false, nearest: ['refund'], isCut: false });
  t.deepEqual(await findings(server(), 'zzyzx'), { found: [], isPartial: false, nearest: [], isCut: false });
});
