import test from 'ava';
import { flawsAndBarriersOn } from '../browser/accessibility.ts';
import type { OpenPage } from '../browser/browser.ts';
import { waitForStyleSheets } from '../browser/look.ts';
import type { OwnServer } from '../server/tillhook.ts';
import { countRenderedPages } from './rendered-pages.ts';
import type { Scenes } from './scene.ts';

interface Room {
  /** The folder of the server whose pages these are. */
  room: string;
  scenes: Scenes;
  server: () => OwnServer;
  openPage: OpenPage;
}

/** Declares a test for each scene, and a test that the scenes have shown all pages of the room. */
export async function testEveryPage({ room, scenes, server, openPage }: Room): Promise<void> {
  const unrenderedPages = await countRenderedPages();

  for (const [name, open] of Object.entries(scenes)) {
    test.serial(`${name} has its colours and edges, and meets WCAG 2.2 AA, light and dark`, async (t) => {
      const page = await openPage(t);
      await open(page, server());
      await waitForStyleSheets(page);

      t.deepEqual(await flawsAndBarriersOn(page), []);
    });
  }

  test.serial(`every page of ${room} was shown by a scene`, async (t) => {
    t.deepEqual(await unrenderedPages(room), []);
  });
}
