/** Tests every page and state of the server, wide and narrow, light and dark, except the look that npm test tests. */
import test from 'ava';
import type { Page } from 'playwright-core';
import { flawsAndBarriersInBothSchemes, flawsAndBarriersInDark } from '../../support/browser/accessibility.ts';
import { browserForFile } from '../../support/browser/browser.ts';
import { flawsInBothSchemes, flawsInDark } from '../../support/browser/look.ts';
import {
  flawsOfContents,
  lookAtScenes,
  otherScenes,
  scenesOfModules,
  settingsOfScenes,
} from '../../support/pages/every-page.ts';
import { ownServerForFile } from '../../support/server/tillhook.ts';

const server = ownServerForFile(settingsOfScenes);
const openPage = browserForFile();

/** Few rules of WCAG depend on the width of the screen, so WCAG is checked only on wide screens. */
async function inFourLooks(page: Page, lookWide = flawsAndBarriersInBothSchemes): Promise<string[]> {
  return wideAndNarrow(page, lookWide, flawsInBothSchemes);
}

/**
 * WCAG is not checked here: the pages of operations have the same parts, and another test checks WCAG on one of them.
 */
async function withoutWcag(page: Page): Promise<string[]> {
  return wideAndNarrow(page, flawsInBothSchemes, flawsInDark);
}

type FindFlaws = (page: Page) => Promise<string[]>;

async function wideAndNarrow(page: Page, lookWide: FindFlaws, lookNarrow: FindFlaws): Promise<string[]> {
  const wide = await lookWide(page);
  await page.setViewportSize({ width: 360, height: 740 });
  const narrow = await lookNarrow(page);
  await page.setViewportSize({ width: 1280, height: 720 });
  return [...wide, ...narrow.map((flaw) => `narrow, ${flaw}`)];
}

lookAtScenes(
  { scenes: otherScenes, server, openPage, look: (page) => inFourLooks(page) },
  'has no style flaws in four looks, and meets WCAG 2.2 AA in light and dark mode',
);
for (const scenes of Object.values(scenesOfModules)) {
  const promise = 'has no style flaws in dark mode and on narrow screens, and has enough contrast in dark mode';
  lookAtScenes({ scenes, server, openPage, look: (page) => inFourLooks(page, flawsAndBarriersInDark) }, promise);
}

const ofContents =
  'no page in the table of contents has style flaws: pages of operations after the first are checked in three looks, and all other pages in four';
test.serial(ofContents, async (t) => {
  t.timeout(600_000);
  const page = await openPage(t);

  const { flaws } = await flawsOfContents(page, {
    server: server(),
    // Pages of operations differ only in words and numbers, so only the first of them is checked completely.
    kindOf: ({ path, samples }) => (samples === undefined ? path : 'operation'),
    look: (shown) => inFourLooks(shown),
    lookAtLike: withoutWcag,
  });

  t.deepEqual(flaws, {});
});
