import { operationsOf, readContract } from '@tillhook/openapi';
import { readPublished } from '@tillhook/server/src/docs-portal/figures.ts';
import test from 'ava';
import { browserForFile } from '../support/browser.ts';
import { serverForFile } from '../support/tillhook.ts';

const server = serverForFile();
const openPage = browserForFile();

const { document, text } = readContract();
const summaries: string[] = operationsOf(document).map(({ definition }) => definition.summary);
const errorCodes: string[] = document.components.schemas.ErrorCode.enum;

for (const [reader, javaScriptEnabled] of [
  ['a reader', true],
  ['a reader without JavaScript', false],
] as const) {
  test.serial(`${reader} finds every operation by its summary`, async (t) => {
    const page = await openPage(t, { javaScriptEnabled });

    const response = await page.goto(`${server().url}/docs`);

    t.is(response?.status(), 200);
    for (const summary of summaries) {
      // Scalar writes a section only when the reader gets there.
      await page.getByRole('link', { name: summary }).first().click();
      await t.notThrowsAsync(page.getByRole('heading', { name: summary }).first().waitFor(), summary);
    }
  });

  test.serial(`${reader} finds every error code at an anchor of its own`, async (t) => {
    const page = await openPage(t, { javaScriptEnabled });

    const response = await page.goto(`${server().url}/docs/errors`);

    t.is(response?.status(), 200);
    for (const code of errorCodes) {
      const entry = page.locator(`#${code}`).filter({ hasText: code, visible: true });
      await t.notThrowsAsync(entry.waitFor(), code);
    }
  });
}

test.serial('a reader finds every figure of the benchmarks, what was measured, and on which machine', async (t) => {
  const { figures, machine } = readPublished();
  const page = await openPage(t, { javaScriptEnabled: false });

  await page.goto(`${server().url}/docs`);
  await page.getByRole('link', { name: 'Benchmarks' }).click();

  t.true(figures.length > 0);
  for (const { name, about } of figures) {
    t.true(await page.getByRole('rowheader', { name, exact: true }).isVisible(), name);
    const section = page.locator('section').filter({ has: page.getByRole('heading', { name, exact: true }) });
    t.true(await section.getByText(about).isVisible(), name);
  }
  t.true(await page.getByText(`${machine.cores} × ${machine.cpu}`).isVisible());
});

test.serial('the docUrl of an error lands on its code', async (t) => {
  const response = await server().request('/api/v1/payments');
  const { error } = await response.json();
  const page = await openPage(t);

  await page.goto(error.docUrl);

  t.is(error.docUrl, `${server().url}/docs/errors#missing_api_key`);
  await t.notThrowsAsync(page.locator(':target').filter({ hasText: 'missing_api_key' }).waitFor());
});

test.serial('the contract is served byte for byte as YAML, and unchanged as JSON', async (t) => {
  const [yaml, json] = await Promise.all(
    ['/openapi.yaml', '/openapi.json'].map((path) => fetch(`${server().url}${path}`)),
  );

  t.is(yaml?.status, 200);
  t.regex(yaml?.headers.get('content-type') ?? '', /yaml/);
  t.is(await yaml?.text(), text);
  t.is(json?.status, 200);
  t.regex(json?.headers.get('content-type') ?? '', /^application\/(.+\+)?json/);
  t.deepEqual(await json?.json(), document);
});

test.serial('the documentation is made from its own origin alone', async (t) => {
  const asked = new Set<string>();
  const page = await openPage(t);
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) asked.add(new URL(request.url()).origin);
  });

  for (const path of ['/docs', '/docs/errors', '/docs/benchmarks']) {
    const response = await page.goto(`${server().url}${path}`, { waitUntil: 'networkidle' });
    t.is(response?.status(), 200, path);
  }

  t.deepEqual([...asked], [server().url]);
});
