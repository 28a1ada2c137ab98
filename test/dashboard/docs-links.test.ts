import { globSync, readFileSync } from 'node:fs';
import test from 'ava';
import { startMockDashboard } from '../support/dashboard/mock-dashboard.ts';

const source = new URL('../../server/dashboard/', import.meta.url).pathname;

test('each link of the dashboard to the docs leads to an existing page, also on the dashboard over the mock', async (t) => {
  const { url, stop } = await startMockDashboard();
  t.teardown(stop);
  const texts = globSync(['src/**/*.tsx', 'index.html'], { cwd: source }).map((name) =>
    readFileSync(source + name, 'utf8'),
  );
  const links = new Set(texts.flatMap((text) => text.match(/\/docs(\/[a-z-]+)?(?=["`#])/g) ?? []));

  for (const link of links) {
    const response = await fetch(url + link);

    t.is(response.status, 200, link);
    t.regex(await response.text(), /<h1/, link);
  }

  t.true(links.size > 4);
  t.is((await fetch(`${url}/docs/nowhere`, { headers: { accept: 'text/html' } })).status, 404);
});
