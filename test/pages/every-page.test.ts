import test from 'ava';
import { flawsAndBarriersOn } from '../support/browser/accessibility.ts';
import { browserForFile } from '../support/browser/browser.ts';
import { flawsOn } from '../support/browser/look.ts';
import { flawsOfContents, lookAtScenes, scenesOfModules, settingsOfScenes } from '../support/pages/every-page.ts';
import { countRenderedPages, pageFiles } from '../support/pages/rendered-pages.ts';
import { ownServerForFile } from '../support/server/tillhook.ts';

// See docs/decisions/tests.md, "Every page is looked at in a browser".
const server = ownServerForFile(settingsOfScenes);
const openPage = browserForFile();
const unrenderedPages = await countRenderedPages();

for (const scenes of Object.values(scenesOfModules)) {
  const promise = 'has no style flaws, and meets WCAG 2.2 AA';
  lookAtScenes({ scenes, server, openPage, look: flawsAndBarriersOn }, promise);
}

test.serial(
  'every page in the table of contents opens; guides and the page of one operation have no style flaws, and one page of each kind meets WCAG 2.2 AA',
  async (t) => {
    t.timeout(240_000);
    const page = await openPage(t);

    const { flaws, count, kinds } = await flawsOfContents(page, {
      server: server(),
      // Pages with the same style sheets and the same components differ only in their text.
      kindOf: ({ samples, tool, sheets }) => JSON.stringify([samples !== undefined, tool !== undefined, sheets]),
      look: flawsAndBarriersOn,
      // The pages of operations differ only in text and figures, so one is checked here and each in `exhaustive/`.
      lookAtLike: async (shown, { samples }) => (samples === undefined ? flawsOn(shown) : []),
    });

    t.deepEqual(flaws, {});
    t.true(count > 50);
    t.true(kinds > 2, `${kinds} kinds`);
    t.log(`${count} pages of ${kinds} kinds`);
  },
);

test.serial('this test renders every page of every module of the server', async (t) => {
  t.deepEqual(await unrenderedPages(Object.keys(scenesOfModules)), []);
});

test('this test covers every module of the server that has pages', (t) => {
  const modules = Object.keys(scenesOfModules);
  t.deepEqual(
    pageFiles('.').filter((file) => !modules.some((module) => file.startsWith(`${module}/`))),
    [],
  );
});
