import test from 'ava';
import { browserForFile } from '../support/browser/browser.ts';
import { flawsOn } from '../support/browser/look.ts';
import { docsPages, docsScenes as scenes } from '../support/pages/docs-scenes.ts';
import { testEveryPage } from '../support/pages/every-page.ts';
import { pageFiles } from '../support/pages/rendered-pages.ts';
import { serverForFile, usualSettings } from '../support/server/tillhook.ts';

const server = serverForFile(usualSettings);
const openPage = browserForFile();

test.serial('every page in the table of contents has its colours and edges, light and dark', async (t) => {
  const page = await openPage(t);
  const flaws: Record<string, string[]> = {};

  const pages = docsPages(server());
  for (const { path } of pages) {
    const response = await page.goto(`${server().url}/docs${path}`);
    const found = response?.status() === 200 ? await flawsOn(page) : [`answered ${response?.status()}`];
    if (found.length > 0) flaws[path] = found;
  }

  t.true(pages.length > 50);
  t.deepEqual(flaws, {});
});

await testEveryPage({ room: 'docs-portal', scenes, server, openPage });

/** The rooms whose pages the files `every-….test.ts` look at. */
const rooms = ['checkout-page', 'docs-portal', 'home-page'];

test('no other room of the server has pages', (t) => {
  t.deepEqual(
    pageFiles('.').filter((file) => !rooms.some((room) => file.startsWith(`${room}/`))),
    [],
  );
});
