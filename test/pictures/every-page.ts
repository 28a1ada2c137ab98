/**
 * `npm run pictures`: takes a picture of every page of the server, wide and narrow, light and dark, and compares it
 * with the stored one. A picture that differs fails its test, and is saved in `reports/pictures` with an image of the
 * difference. `npm run pictures -- --accept` stores the new pictures. `npm run pictures -- --readme` draws the pictures of
 * the README instead.
 * See docs/decisions/tests.md, "Pictures of pages are stored, and compared outside npm test".
 */
import { readdirSync, rmSync, statSync } from 'node:fs';
import type { Page as DocsPage } from '@tillhook/server/src/docs-portal/page.ts';
import test, { type ExecutionContext } from 'ava';
import type { Locator, Page } from 'playwright-core';
import { browserForFile } from '../support/browser/browser.ts';
import { dashboardDialogs } from '../support/dashboard/dashboard-dialogs.ts';
import { type DashboardScenes, dashboardPages, dashboardStates } from '../support/dashboard/dashboard-scenes.ts';
import { type MockDashboard, startMockDashboard } from '../support/dashboard/mock-dashboard.ts';
import { checkoutScenes, languageScenes } from '../support/pages/checkout-scenes.ts';
import { docsPages, docsScenes } from '../support/pages/docs-scenes.ts';
import { homeScenes } from '../support/pages/home-scenes.ts';
import type { Scenes } from '../support/pages/scene.ts';
import { serverForFile, usualSettings } from '../support/server/tillhook.ts';
import { compare, storedFolder } from './picture.ts';
import { mostBytes, readmeFolder, readmePictures, storeForReadme } from './readme-pictures.ts';
import { settle, startClock, stopClock, stopStartedClock } from './settle.ts';

const isAccepted = process.argv.includes('--accept');
const isForReadme = process.argv.includes('--readme');
const server = serverForFile(usualSettings);
const openPage = browserForFile();

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

/** The height of a picture. Pages are cut there, because their lower part looks like their upper part. */
const height = 900;

const scenes: Scenes = { ...checkoutScenes, ...languageScenes, ...docsScenes, ...homeScenes };
const taken = new Set<string>();

let mock: MockDashboard;
test.before(async () => {
  mock = await startMockDashboard();
});
test.after.always(() => mock.stop());

/** The scenes of the dashboard, each group with its looks. Pages depend on the width, and dialogs do not. */
const dashboard: readonly [DashboardScenes, Look[]][] = [
  [dashboardPages, [wideLight, narrowDark]],
  [dashboardStates, [wideLight]],
  [dashboardDialogs, [narrowDark]],
];

if (isForReadme) drawForReadme();
else compareEveryPage();

function compareEveryPage(): void {
  comparePagesOfServer();
  comparePagesOfDashboard();
  test.serial('no picture is stored of a page that is gone', (t) => {
    const gone = readdirSync(storedFolder).filter((file) => !taken.has(file));
    if (isAccepted) for (const file of gone) rmSync(`${storedFolder}${file}`);

    agrees(t, gone);
  });
}

function comparePagesOfServer(): void {
  for (const [name, open] of Object.entries(scenes)) {
    test.serial(name, async (t) => {
      const page = await openPage(t, { bypassCSP: true, viewport: { width: 1280, height } });
      await stopClock(page);
      await open(page, server());
      await settle(page);

      agrees(t, await compareAll(page, fileNameOf(name), looks));
    });
  }

  test.serial('the pages that the contents of the documentation list', async (t) => {
    const page = await openPage(t, { bypassCSP: true });
    await stopClock(page);
    const differences: string[] = [];

    for (const { path } of pictured(docsPages(server()))) {
      await page.setViewportSize({ width: 1280, height });
      await page.goto(`${server().url}/docs${path}`);
      // The verifier shows its form once it has signed a sample.
      await page.locator('#verifier-note').waitFor({ state: 'detached' });
      await settle(page);
      differences.push(...(await compareAll(page, fileNameOf(`docs${path}`), [wideLight, narrowDark])));
    }

    agrees(t, differences);
  });
}

function comparePagesOfDashboard(): void {
  for (const [scenes, wanted] of dashboard) {
    for (const [name, open] of Object.entries(scenes)) {
      test.serial(`dashboard ${name}`, async (t) => {
        const page = await openPage(t, { bypassCSP: true, viewport: { width: 1280, height } });
        await startClock(page);
        await open(page, mock);
        await stopStartedClock(page);
        await settle(page);

        const isLarge = name === 'Home' || name === 'Payments';
        agrees(t, await compareAll(page, fileNameOf(`dashboard ${name}`), [...wanted, ...(isLarge ? [large] : [])]));
      });
    }
  }
}

function drawForReadme(): void {
  for (const [name, picture] of Object.entries(readmePictures)) {
    test.serial(`README: ${name}`, async (t) => {
      const { room, scene, width, height, colorScheme } = picture;
      const page = await openPage(t, { bypassCSP: true, viewport: { width, height }, colorScheme });
      await (room === 'dashboard' ? startClock(page) : stopClock(page));
      if (room === 'docs') await page.goto(`${server().url}/docs${scene}`);
      else if (room === 'checkout') await checkoutScenes[scene]?.(page, server());
      else await { ...dashboardPages, ...dashboardStates }[scene]?.(page, mock);
      if (room === 'dashboard') await stopStartedClock(page);
      await settle(page);
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await followScheme(page, colorScheme);
      await page.evaluate('scrollTo(0, 0)');
      storeForReadme(name, await page.screenshot());
      t.true(statSync(`${readmeFolder}${name}.png`).size <= mostBytes);
    });
  }
}

/**
 * The pages of the documentation to take pictures of. One page stands for those of all operations, because they look
 * alike.
 */
function pictured(pages: DocsPage[]): DocsPage[] {
  const [operation] = pages.filter(({ samples }) => samples);
  return pages.filter((page) => !page.samples || page === operation);
}

async function compareAll(page: Page, name: string, wanted: readonly Look[]): Promise<string[]> {
  const differences: (string | null)[] = [];
  for (const { look, width, colorScheme } of wanted) {
    const picture = `${name}.${look}`;
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await followScheme(page, colorScheme);
    // If a dialog is open, only the dialog is in the picture, because its page has a picture already.
    const dialog = page.getByRole('dialog');
    const png = (await dialog.count()) > 0 ? await pictureOf(dialog) : await page.screenshot();
    differences.push(compare({ name: picture, png, isAccepted }));
    taken.add(`${picture}.png`);
  }
  return differences.filter((difference) => difference !== null);
}

/** Without the focus, because a dialog that is resized keeps the focus in some runs and loses it in others. */
async function pictureOf(dialog: Locator): Promise<Buffer> {
  await dialog.page().evaluate('document.activeElement?.blur()');
  return dialog.screenshot();
}

/**
 * Waits until the scripts of the dashboard have followed the colour scheme of the system and the width of the window.
 */
async function followScheme(page: Page, colorScheme: Look['colorScheme']): Promise<void> {
  if ((await page.locator('html[data-mantine-color-scheme]').count()) === 0) return;
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' });
  await page.clock.runFor(1_000);
}

/** Logs the differences. They are a failure unless they are accepted. */
function agrees(t: ExecutionContext, differences: string[]): void {
  for (const difference of differences) t.log(difference);
  t.deepEqual(isAccepted ? [] : differences, []);
}

function fileNameOf(scene: string): string {
  return scene.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}
