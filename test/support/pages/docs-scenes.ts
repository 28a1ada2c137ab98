import { contents } from '@tillhook/docs/src/contents.ts';
import type { Page as DocsPage } from '@tillhook/docs/src/page.ts';
import { docsSource } from '@tillhook/docs/src/source.ts';
import { readContract } from '@tillhook/openapi';
import type { Page } from 'playwright-core';
import type { OwnServer } from '../server/tillhook.ts';
import { waitForHeading } from './checkout-page.ts';
import type { Scenes } from './scene.ts';

export function docsPages(): DocsPage[] {
  return contents(docsSource(readContract())).flatMap(({ pages }) => pages);
}

/** Documentation pages outside the table of contents, and pages that show a result after a reader's input. */
export const docsScenes: Scenes = {
  'what a search found': (page, server) => open(page, server, '/search?q=secret', 'Search'),
  'a search that found nothing': (page, server) => open(page, server, '/search?q=refnud', 'Search'),
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
  'an answer to a request that a reader sent': async (page, server) => {
    const { testKey } = await server.createMerchant();
    await page.route('**/api/v1/payments/checkout', (route) =>
      route.fulfill({ status: 201, json: { success: true, message: 'Checkout session created' } }),
    );
    await open(page, server, '/reference/createCheckout', 'Generate a payment checkout link');
    // The page shows how long the request took, which would differ in each screenshot.
    await page.evaluate('performance.now = () => 0');
    await page.getByText('Try it', { exact: true }).last().click();
    await page.getByLabel('API key').fill(testKey);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('201 Created').waitFor();
  },
};

export const docsStates: Scenes = {
  'an empty search': (page, server) => open(page, server, '/search', 'Search'),
  'what a search suggests': async (page, server) => {
    await open(page, server, '', 'Overview');
    await page.getByRole('combobox').fill('secret');
    await page.getByRole('option').first().waitFor();
  },
  'similar words while a search finds nothing': async (page, server) => {
    await open(page, server, '', 'Overview');
    await page.getByRole('combobox').fill('refnud');
    await page.getByRole('option', { name: 'refund', exact: true }).waitFor();
  },
  'a signature that does not': async (page, server) => {
    await open(page, server, '/verifier', 'Signature verifier');
    await page.getByRole('button', { name: 'Change one byte' }).click();
    await page.getByRole('heading', { name: 'wrong_signature' }).waitFor();
  },
  'a warning before a live key changes something': async (page, server) => {
    await open(page, server, '/reference/createTransfer', 'Create a transfer');
    await page.getByText('Try it', { exact: true }).last().click();
    await page.getByLabel('API key').fill('sk_live_aaaaaaaaaaaa');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('alert').waitFor();
  },
  'the optional parameters of a request': async (page, server) => {
    await open(page, server, '/reference/listPayments', 'List payments');
    await page.getByText('Try it', { exact: true }).last().click();
    await page.getByText(/^\d+ optional parameters$/).click();
  },
};

export async function open(page: Page, { url }: OwnServer, ...[path, heading]: [string, string]): Promise<void> {
  await page.goto(`${url}/docs${path}`);
  await waitForHeading(page, heading);
}
