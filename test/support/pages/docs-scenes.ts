import { readContract } from '@tillhook/openapi';
import { contents } from '@tillhook/server/src/docs-portal/contents.ts';
import type { Page as DocsPage } from '@tillhook/server/src/docs-portal/page.ts';
import { portalSource } from '@tillhook/server/src/docs-portal/portal-source.ts';
import type { Page } from 'playwright-core';
import type { OwnServer } from '../server/tillhook.ts';
import { waitForHeading } from './checkout-page.ts';
import type { Scenes } from './scene.ts';

/** Returns all pages in the table of contents of the documentation, which the server makes. */
export function docsPages({ context }: OwnServer): DocsPage[] {
  return contents(portalSource(readContract(), context)).flatMap(({ pages }) => pages);
}

/** Pages of the documentation that are not in its table of contents, and states that follow the input of a reader. */
export const docsScenes: Scenes = {
  'an empty search': (page, server) => open(page, server, '/search', 'Search'),
  'what a search found': (page, server) => open(page, server, '/search?q=secret', 'Search'),
  'what a search suggests': async (page, server) => {
    await open(page, server, '', 'Overview');
    await page.getByRole('combobox').fill('secret');
    await page.getByRole('option').first().waitFor();
  },
  'no such page of the documentation': (page, server) => open(page, server, '/nowhere', 'There is no such page'),
  'no such page at all': async (page, { url }) => {
    await page.goto(`${url}/nowhere`);
    await waitForHeading(page, 'There is no such page');
  },
  'a signature that verifies': async (page, server) => {
    await open(page, server, '/verifier', 'Signature verifier');
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByRole('heading', { name: 'Verified: checkout.success' }).waitFor();
  },
  'a signature that does not': async (page, server) => {
    await open(page, server, '/verifier', 'Signature verifier');
    await page.getByRole('button', { name: 'Change one byte' }).click();
    await page.getByRole('heading', { name: 'wrong_signature' }).waitFor();
  },
  'the reference in which operations are tried': async (page, { url }) => {
    await page.goto(`${url}/docs/reference`);
    await page.locator('#reference .scalar-app, #reference .references-layout').first().waitFor();
  },
  'the reference without JavaScript': async (page, server) => {
    await page.route('**/reference.js', (route) => route.fulfill({ body: '', contentType: 'text/javascript' }));
    await open(page, server, '/reference', 'API reference');
  },
};

export async function open(page: Page, { url }: OwnServer, ...[path, heading]: [string, string]): Promise<void> {
  await page.goto(`${url}/docs${path}`);
  await waitForHeading(page, heading);
}
