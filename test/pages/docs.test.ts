import { type ModelOperation, namedSchema, readContract } from '@tillhook/openapi';
import {
  judgedText,
  ratioText,
  readEarlier,
  readPublished,
  targetText,
  valueText,
} from '@tillhook/server/src/docs-portal/figures/bench-figures.ts';
import { readPublishedChaos } from '@tillhook/server/src/docs-portal/figures/chaos-figures.ts';
import test from 'ava';
import { parse } from 'yaml';
import { browserForFile } from '../support/browser/browser.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();
const openPage = browserForFile();

const { model } = readContract();
const all = model.operations;
const errorCodes = Object.keys(namedSchema(model, 'ErrorCode')['x-extensible-enum'] ?? {});

const eventNames = model.webhooks.map(({ name }) => name);

test.serial('a reader without JavaScript finds every operation on a separate page', async (t) => {
  const page = await openPage(t, { javaScriptEnabled: false });

  await page.goto(`${server().url}/docs/reference`);
  for (const { id, summary, method, path } of all) {
    const row = page.getByRole('row', { name: `${summary} ${method.toUpperCase()} ${path}`, exact: true });
    t.true(await row.getByRole('link', { name: summary }).isVisible(), id);
  }
  await page.getByRole('main').getByRole('link', { name: 'Create a transfer' }).click();

  t.is(new URL(page.url()).pathname, '/docs/reference/createTransfer');
  const words = await page.getByRole('main').innerText();
  const { summary, path, answers } = model.operationById.get('createTransfer') as ModelOperation;
  const shown = [summary, path, 'curl', 'tillhook.', ...[...answers.keys()].map(String)];
  for (const word of shown) t.true(words.includes(word), word);
});

for (const [reader, javaScriptEnabled] of [
  ['a reader', true],
  ['a reader without JavaScript', false],
] as const) {
  test.serial(`${reader} finds every error code and every event at an anchor`, async (t) => {
    const page = await openPage(t, { javaScriptEnabled });

    for (const [path, names] of [
      ['errors', errorCodes],
      ['events', eventNames],
    ] as const) {
      const response = await page.goto(`${server().url}/docs/${path}`);

      t.is(response?.status(), 200);
      for (const name of names) {
        const entry = page.locator(`[id="${name}"]`).filter({ hasText: name, visible: true });
        await t.notThrowsAsync(entry.waitFor(), name);
      }
    }
  });

  test.serial(`${reader} can search`, async (t) => {
    const page = await openPage(t, { javaScriptEnabled });
    await page.goto(`${server().url}/docs`);

    await page.keyboard.press('/');
    const field = page.getByLabel('Search the documentation');
    if (!javaScriptEnabled) await field.focus();
    await page.keyboard.type('insufficient funds');
    if (javaScriptEnabled) await page.getByRole('option', { name: 'insufficient_funds' }).first().waitFor();
    await page.keyboard.press('Enter');
    if (!javaScriptEnabled) await page.getByRole('link', { name: 'insufficient_funds' }).click();

    await t.notThrowsAsync(page.waitForURL(`${server().url}/docs/errors#insufficient_funds`));
  });
}

for (const old of ['/docs', '/docs/reference']) {
  test.serial(`an old address of an operation, in ${old}, leads to its page`, async (t) => {
    const page = await openPage(t);

    await page.goto(`${server().url}${old}#createCheckout`);

    await t.notThrowsAsync(page.waitForURL(`${server().url}/docs/reference/createCheckout`));
  });
}

test.serial('the table of contents opens on a narrow screen, also without JavaScript', async (t) => {
  const page = await openPage(t, { javaScriptEnabled: false, viewport: { width: 390, height: 800 } });
  await page.goto(`${server().url}/docs`);

  t.false(await page.getByRole('link', { name: 'Idempotency' }).isVisible());
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('link', { name: 'Idempotency' }).click();

  t.is(await page.getByRole('heading', { level: 1 }).textContent(), 'Idempotency');
});

test.serial('the page of the benchmarks has every figure, what was measured, and on which machine', async (t) => {
  const { figures, machine } = readPublished();
  const page = await openPage(t, { javaScriptEnabled: false });

  await page.goto(`${server().url}/docs`);
  await page.getByRole('link', { name: 'Benchmarks and chaos', exact: true }).click();

  t.true(figures.length > 0);
  for (const { name } of figures)
    t.true(await page.getByRole('rowheader', { name, exact: true }).first().isVisible(), name);
  for (const [about, [first, ...others]] of Map.groupBy(figures, (figure) => figure.about)) {
    const heading = page.getByRole('heading', { name: first?.name ?? '', exact: true });
    t.is(await heading.locator('xpath=following-sibling::p[1]').textContent(), about, first?.name);
    for (const { name } of others) {
      const same = await heading.locator('xpath=following-sibling::p[2]').textContent();
      t.true(same?.includes(name), name);
    }
  }
  t.true(await page.getByRole('cell', { name: `${machine.cores} × ${machine.cpu}, ` }).isVisible());
});

test.serial('the same page compares each figure that has a target with the one of an earlier commit', async (t) => {
  const now = readPublished();
  const before = readEarlier();
  const text = await (await fetch(`${server().url}/docs/benchmarks-and-chaos.md`)).text();

  const compared = before.figures.filter(({ target, name }) => target && now.figures.some((one) => one.name === name));
  t.true(compared.length > 8);
  for (const earlier of compared) {
    const figure = now.figures.find(({ name }) => name === earlier.name);
    if (!figure) continue;
    const row = `| ${figure.name} | ${targetText(figure)} | ${judgedText(earlier)} | ${judgedText(figure)} |`;
    t.true(text.includes(row), row);
  }
});

test.serial(
  'the same page has each scenario of the chaos run with its losses, or the reason why it did not run',
  async (t) => {
    const { runs } = readPublishedChaos();
    const text = await (await fetch(`${server().url}/docs/benchmarks-and-chaos.md`)).text();

    for (const run of runs) {
      const words =
        'notRun' in run
          ? `- ${run.scenario}: not run, because ${run.notRun}`
          : `${run.scenario.slice(1)} | ${run.expected.toLocaleString('en')} | **${run.lost}** |`;
      t.true(text.includes(words), words);
    }
    t.true(runs.length > 8);
  },
);

test.serial('the old address of the benchmarks leads to the page, also as Markdown', async (t) => {
  for (const end of ['', '.md']) {
    const response = await fetch(`${server().url}/docs/benchmarks${end}`, { redirect: 'manual' });

    t.is(response.status, 301);
    t.is(response.headers.get('location'), `/docs/benchmarks-and-chaos${end}`);
  }
});

test.serial('the figures of the benchmarks are text: Markdown holds them, and the search finds them', async (t) => {
  const { figures } = readPublished();
  const [text, found] = await Promise.all(
    ['benchmarks-and-chaos.md', 'search.json?q=deliveries+beside+graphile'].map(async (path) =>
      (await fetch(`${server().url}/docs/${path}`)).text(),
    ),
  );

  for (const figure of figures) {
    const words = [`| ${figure.name} |`, ratioText(figure), valueText(figure.tillhook, figure.unit), figure.about];
    for (const word of words) t.true(text?.includes(word), word);
  }
  t.regex(found ?? '', /"\/benchmarks-and-chaos#deliveries-beside-graphile/);
});

test.serial('the docUrl of an error leads to its code', async (t) => {
  const response = await server().request('/api/v1/payments');
  const { error } = await response.json();
  const page = await openPage(t);

  await page.goto(error.docUrl);

  t.is(error.docUrl, `${server().url}/docs/errors#missing_api_key`);
  await t.notThrowsAsync(page.locator(':target').filter({ hasText: 'missing_api_key' }).waitFor());
});

interface ServedDocument {
  openapi: string;
  servers: { url: string }[];
  paths: object;
}

test.serial('the contract for programs is served as YAML, as JSON, and in OpenAPI 3.0', async (t) => {
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
