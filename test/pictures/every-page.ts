/**
 * `npm run pictures` takes the screenshots that `stored-pictures.ts` lists, and compares them with the stored
 * screenshots. It saves every screenshot that differs in `reports/pictures`. `-- --accept` stores the new screenshots.
 * See docs/decisions/tests.md, "Twenty pictures of pages are stored, and compared outside npm test".
 */
import { readdirSync, rmSync, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Page as DocsPage } from '@tillhook/docs/src/page.ts';
import test, { type ExecutionContext } from 'ava';
import type { Locator, Page } from 'playwright-core';
import { browserForFile } from '../support/browser/browser.ts';
import { dashboardDialogs } from '../support/dashboard/dashboard-dialogs.ts';
import { mockForFile } from '../support/dashboard/dashboard-scene.ts';
import { type DashboardScenes, dashboardPages, dashboardStates } from '../support/dashboard/dashboard-scenes.ts';
import { docsPages } from '../support/pages/docs-scenes.ts';
import { otherScenes, scenesOfModules, settingsOfScenes } from '../support/pages/every-page.ts';
import type { Scenes } from '../support/pages/scene.ts';
import { ownServerForFile } from '../support/server/tillhook.ts';
import { compareWithStored, keep, storedFolder } from './picture.ts';
import { maxBytes, readmeFile, readmePictures, storeForReadme } from './readme-pictures.ts';
import { replaceMade, settle, startClock, stopClock, stopStartedClock } from './settle.ts';
import { storedPictures } from './stored-pictures.ts';

const { values: flags } = parseArgs({
  options: { accept: { type: 'boolean', default: false }, readme: { type: 'boolean' }, draw: { type: 'string' } },
});
const server = ownServerForFile(settingsOfScenes);
const openPage = browserForFile();
const mock = mockForFile();

interface Look {
  look: string;
  width: number;
  colorScheme: 'light' | 'dark';
}

const wideLight: Look = { look: 'wide-light', width: 1280, colorScheme: 'light' };
const narrowDark: Look = { look: 'narrow-dark', width: 360, colorScheme: 'dark' };
const large: Look = { look: 'large-light', width: 1920, colorScheme: 'light' };
const looks: Look[] = [
  wideLight,
  { look: 'wide-dark', width: 1280, colorScheme: 'dark' },
  { look: 'narrow-light', width: 360, colorScheme: 'light' },
  narrowDark,
];

/** A screenshot shows only the top of a page, because the rest has the same styles. */
const height = 900;

const wantedOf = (name: string, all: readonly Look[]): readonly Look[] =>
  flags.draw ? all : all.filter(({ look }) => storedPictures.includes(`${name}.${look}`));

const scenes: Scenes = Object.assign({}, ...Object.values(scenesOfModules), otherScenes);
const taken = new Set<string>();

/** Pages have two looks, because their layout depends on the width of the window; dialogs have only one. */
const dashboard: readonly [DashboardScenes, Look[]][] = [
  [dashboardPages, [wideLight, narrowDark]],
  [dashboardStates, [wideLight]],
  [dashboardDialogs, [narrowDark]],
];

if (flags.readme) drawForReadme();
else takePictures();

function takePictures(): void {
  takePicturesOfServer();
  takePicturesOfDashboard();
  if (flags.draw) return;
  test.serial('every listed screenshot was taken, and no other screenshot is stored', (t) => {
    const other = readdirSync(storedFolder).filter((file) => !taken.has(file));
    if (flags.accept) for (const file of other) rmSync(`${storedFolder}${file}`);

    agrees(t, other);
    t.deepEqual([...taken].sort(), storedPictures.map((name) => `${name}.png`).sort());
  });
}

function takePicturesOfServer(): void {
  for (const [name, open] of Object.entries(scenes)) {
    const wanted = wantedOf(fileNameOf(name), looks);
    if (wanted.length === 0) continue;
    test.serial(name, async (t) => {
      const page = await openPage(t, { isNew: true, bypassCSP: true, viewport: { width: 1280, height } });
      await stopClock(page);
      await open(page, server());
      await settle(page);

      agrees(t, await take(page, fileNameOf(name), wanted));
    });
  }

  test.serial('screenshots of the pages in the table of contents of the documentation', async (t) => {
    const page = await openPage(t, { isNew: true, bypassCSP: true });
    await stopClock(page);
    const differences: string[] = [];

    for (const { path } of pictured(docsPages())) {
      const wanted = wantedOf(fileNameOf(`docs${path}`), [wideLight, narrowDark]);
      if (wanted.length === 0) continue;
      await page.setViewportSize({ width: 1280, height });
      await page.goto(`${server().url}/docs${path}`);
      // The verifier shows its form only when it has signed a sample.
      await page.locator('#verifier-note').waitFor({ state: 'detached' });
      await settle(page);
      differences.push(...(await take(page, fileNameOf(`docs${path}`), wanted)));
    }

    agrees(t, differences);
  });
}

function takePicturesOfDashboard(): void {
  for (const [scenes, usual] of dashboard) {
    for (const [name, open] of Object.entries(scenes)) {
      const isLarge = name === 'Home' || name === 'Payments';
      const wanted = wantedOf(fileNameOf(`dashboard ${name}`), isLarge ? [...usual, large] : usual);
      if (wanted.length === 0) continue;
      test.serial(`dashboard ${name}`, async (t) => {
        const page = await openPage(t, { isNew: true, bypassCSP: true, viewport: { width: 1280, height } });
        await startClock(page);
        await open(page, mock());
        await stopStartedClock(page);
        await settle(page);

        agrees(t, await take(page, fileNameOf(`dashboard ${name}`), wanted));
      });
    }
  }
}

function drawForReadme(): void {
  for (const [name, picture] of Object.entries(readmePictures)) {
    test.serial(`README: ${name}`, async (t) => {
      const { module, scene, width, height, colorScheme } = picture;
      const page = await openPage(t, { isNew: true, bypassCSP: true, viewport: { width, height }, colorScheme });
      await (module === 'dashboard' ? startClock(page) : stopClock(page));
      if (module === 'docs') await page.goto(`${server().url}/docs${scene}`);
      else if (module === 'checkout') await scenes[scene]?.(page, server());
      else await { ...dashboardPages, ...dashboardStates }[scene]?.(page, mock());
      if (module === 'dashboard') await stopStartedClock(page);
      await settle(page);
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await followScheme(page, colorScheme);
      await page.evaluate('scrollTo(0, 0)');
      storeForReadme(name, await page.screenshot());
      t.true(statSync(readmeFile(name)).size <= maxBytes);
    });
  }
}

function pictured(pages: DocsPage[]): DocsPage[] {
  const [operation] = pages.filter(({ samples }) => samples);
  return pages.filter((page) => !page.samples || page === operation);
}

async function take(page: Page, name: string, wanted: readonly Look[]): Promise<string[]> {
  const differences: (string | null)[] = [];
  for (const { look, width, colorScheme } of wanted) {
    const picture = `${name}.${look}`;
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await followScheme(page, colorScheme);
    await replaceMade(page);
    // If a dialog is open, the screenshot shows only the dialog, because another scene shows its page.
    const dialog = page.getByRole('dialog');
    const png = (await dialog.count()) > 0 ? await pictureOf(dialog) : await page.screenshot();
    if (flags.draw) keep(flags.draw, picture, png);
    else differences.push(compareWithStored({ name: picture, png, isAccepted: flags.accept }));
    taken.add(`${picture}.png`);
  }
  return differences.filter((difference) => difference !== null);
}

/**
 * A resized dialog keeps the focus in some runs and loses it in others, so the screenshot is taken without the focus.
 */
async function pictureOf(dialog: Locator): Promise<Buffer> {
  await dialog.page().evaluate('document.activeElement?.blur()');
  return dialog.screenshot();
}

async function followScheme(page: Page, colorScheme: Look['colorScheme']): Promise<void> {
  if ((await page.locator('html[data-mantine-color-scheme]').count()) === 0) return;
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' });
  await page.clock.runFor(1_000);
}

function agrees(t: ExecutionContext, differences: string[]): void {
  for (const difference of differences) t.log(difference);
  t.deepEqual(flags.accept ? [] : differences, []);
}

function fileNameOf(scene: string): string {
  return scene.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}
