import type { Page as DocsPage } from '@tillhook/docs/src/page.ts';
import test from 'ava';
import type { Page } from 'playwright-core';
import type { OpenPage } from '../browser/browser.ts';
import { waitForStyleSheets } from '../browser/look.ts';
import type { OwnServer } from '../server/tillhook.ts';
import { checkoutScenes, checkoutStates, languageScenes } from './checkout-scenes.ts';
import { docsPages, docsScenes, docsStates } from './docs-scenes.ts';
import { homeScenes } from './home-scenes.ts';
import { mailScenes } from './mail-scenes.ts';
import type { Scenes } from './scene.ts';

/** Only a demo shows its mails. */
export const settingsOfScenes = { SEED_DEMO: 'true' };

export const scenesOfModules: Readonly<Record<string, Scenes>> = {
  'pages/checkout': checkoutScenes,
  'pages/docs': docsScenes,
  'pages/home': homeScenes,
  'pages/mails': mailScenes,
};

/** Only `exhaustive/` checks these scenes: more states of the pages, and the checkout in other languages. */
export const otherScenes: Scenes = { ...checkoutStates, ...docsStates, ...languageScenes };

interface Looking {
  scenes: Scenes;
  server: () => OwnServer;
  openPage: OpenPage;
  look: (page: Page) => Promise<string[]>;
}

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

interface LookingAtDocs {
  server: OwnServer;
  /** `look` checks only the first page of each kind. */
  kindOf: (page: DocsPage) => string;
  look: (page: Page) => Promise<string[]>;
  lookAtLike: (page: Page, shown: DocsPage) => Promise<string[]>;
}

export async function flawsOfContents(page: Page, { server, kindOf, look, lookAtLike }: LookingAtDocs) {
  const flaws: Record<string, string[]> = {};
  const pages = docsPages();
  const kinds = new Set<string>();
  for (const one of pages) {
    const response = await page.goto(`${server.url}/docs${one.path}`);
    const status = response?.status();
    const found = await (kinds.has(kindOf(one)) ? lookAtLike(page, one) : look(page));
    kinds.add(kindOf(one));
    if (status !== 200 || found.length > 0) flaws[one.path] = [`answered ${status}`, ...found];
  }
  return { flaws, count: pages.length, kinds: kinds.size };
}
