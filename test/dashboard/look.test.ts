/** Every page of the dashboard over the mock is opened once, and its links to the documentation lead somewhere. */
import { globSync, readFileSync } from 'node:fs';
import test from 'ava';
import { flawsAndBarriersOn } from '../support/browser/accessibility.ts';
import { browserForFile } from '../support/browser/browser.ts';
import { flawsOfScenes, mockForFile } from '../support/dashboard/dashboard-scene.ts';
import { dashboardPages } from '../support/dashboard/dashboard-scenes.ts';

const openPage = browserForFile();
const mock = mockForFile();

test.serial('every page has its colours and edges, and meets WCAG 2.2 AA', async (t) => {
  t.timeout(240_000);
  t.deepEqual(
    await flawsOfScenes(await openPage(t), { mock: mock(), scenes: dashboardPages, look: flawsAndBarriersOn }),
    {},
  );
});

const source = new URL('../../server/dashboard/', import.meta.url).pathname;

test('each link of the dashboard to the docs leads to an existing page, also on the dashboard over the mock', async (t) => {
  const { url } = mock();
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
