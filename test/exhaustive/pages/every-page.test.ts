/** Tests every page and state of the server in four looks (wide, narrow, light, dark), except the look of npm test. */
import test from 'ava';
import type { Page } from 'playwright-core';
import { flawsAndBarriersInBothSchemes, flawsAndBarriersInDark } from '../../support/browser/accessibility.ts';
import { browserForFile } from '../../support/browser/browser.ts';
import { flawsInBothSchemes, flawsInDark } from '../../support/browser/look.ts';
import { flawsOfContents, lookAtScenes, otherScenes, scenesOfModules } from '../../support/pages/every-page.ts';
import { ownServerForFile, usualSettings } from '../../support/server/tillhook.ts';

const server = ownServerForFile(usualSettings);
const openPage = browserForFile();

/** Checks WCAG at one width, because its rules depend little on the width. */
async function inFourLooks(page: Page, lookWide = flawsAndBarriersInBothSchemes): Promise<string[]> {
  return wideAndNarrow(page, lookWide, flawsInBothSchemes);
}

/**
 * Checks colours and edges only. Pages of operations have the same parts, so only one of these pages is checked for
 * WCAG, and `npm test` checks their narrow light look.
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
  'has its colours and edges in four looks, and meets WCAG 2.2 AA, light and dark',
);
for (const scenes of Object.values(scenesOfModules)) {
  const promise = 'has its colours and edges in dark mode and on narrow screens, and enough contrast in dark mode';
  lookAtScenes({ scenes, server, openPage, look: (page) => inFourLooks(page, flawsAndBarriersInDark) }, promise);
}

const ofContents =
  'every page in the table of contents has its colours and edges in four looks, and pages of operations after the first in three';
test.serial(ofContents, async (t) => {
  t.timeout(600_000);
  const page = await openPage(t);

  const { flaws } = await flawsOfContents(page, {
    server: server(),
    // One page of an operation stands for all of them, because they differ only in words and numbers. Every other page
    // is checked completely.
    kindOf: ({ path, samples }) => (samples === undefined ? path : 'operation'),
    look: (shown) => inFourLooks(shown),
    lookAtLike: withoutWcag,
  });

  t.deepEqual(flaws, {});
});
