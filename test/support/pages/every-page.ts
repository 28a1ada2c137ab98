/** The rooms of the server that have pages, and a look at each of their scenes. */
import test from 'ava';
import type { Page } from 'playwright-core';
import type { OpenPage } from '../browser/browser.ts';
import { waitForStyleSheets } from '../browser/look.ts';
import type { OwnServer } from '../server/tillhook.ts';
import { checkoutScenes } from './checkout-scenes.ts';
import { docsPages, docsScenes } from './docs-scenes.ts';
import { homeScenes } from './home-scenes.ts';
import type { Scenes } from './scene.ts';

export const scenesOfRooms: Readonly<Record<string, Scenes>> = {
  'checkout-page': checkoutScenes,
  'docs-portal': docsScenes,
  'home-page': homeScenes,
};

interface Looking {
  scenes: Scenes;
  server: () => OwnServer;
  openPage: OpenPage;
  /** What is wrong with the page that a scene shows. */
  look: (page: Page) => Promise<string[]>;
}

/** Declares a test for each scene. */
export function lookAtScenes({ scenes, server, openPage, look }: Looking, promise: string): void {
  for (const [name, open] of Object.entries(scenes)) {
    test.serial(`${name} ${promise}`, async (t) => {
      const page = await openPage(t);
      await open(page, server());
      await waitForStyleSheets(page);

      t.deepEqual(await look(page), []);
    });
  }
}

/** How to look at a page of the documentation: pages of operations are alike, so one of them stands for the others. */
interface LookingAtDocs {
  server: OwnServer;
  look: (page: Page) => Promise<string[]>;
  lookAtLike: (page: Page) => Promise<string[]>;
}

/** What is wrong with the pages in the table of contents, by path, and how many there are. */
export async function flawsOfContents(page: Page, { server, look, lookAtLike }: LookingAtDocs) {
  const flaws: Record<string, string[]> = {};
  const pages = docsPages(server);
  const [operation] = pages.filter(({ samples }) => samples);
  for (const one of pages) {
    const response = await page.goto(`${server.url}/docs${one.path}`);
    const status = response?.status();
    const found = await (one.samples && one !== operation ? lookAtLike : look)(page);
    if (status !== 200 || found.length > 0) flaws[one.path] = [`answered ${status}`, ...found];
  }
  return { flaws, count: pages.length };
}
