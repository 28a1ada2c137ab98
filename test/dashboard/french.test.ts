import { readFileSync } from 'node:fs';
import test from 'ava';
import type { Page } from 'playwright-core';
import { barriersOn } from '../support/browser/accessibility.ts';
import { browserForFile } from '../support/browser/browser.ts';
import { openAccount } from '../support/dashboard/dashboard.ts';
import { waitForHeading } from '../support/pages/checkout-page.ts';
import { serverForFile } from '../support/server/tillhook.ts';
import { createMerchantWithUser, password } from '../support/users/users.ts';

const server = serverForFile();
const openPage = browserForFile();

const languageOf = (page: Page) => page.evaluate<string>('document.documentElement.lang');

test.serial(
  'a browser in French gets French pages from the sign-in to a payment, with dates and amounts as in France',
  async (t) => {
    const { email, client } = await createMerchantWithUser(server(), 'Librairie Ada');
    await client.checkout.create({ email: 'grace@example.com', amount: 123_456, reference: 'order-1042' });
    await client.test.completePayment('order-1042');
    const page = await openPage(t, { locale: 'fr-FR' });
    await page.goto(`${server().url}/dashboard`);
    await waitForHeading(page, 'Se connecter à Tillhook');
    t.is(await languageOf(page), 'fr');
    t.is(await page.title(), 'Se connecter · Tillhook');
    t.deepEqual(await barriersOn(page), []);

    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Mot de passe', { exact: true }).fill('mauvais mot de passe');
    await page.getByRole('button', { name: 'Se connecter', exact: true }).click();
    await page.getByText('Adresse e-mail ou mot de passe incorrect.').waitFor();
    await page.getByLabel('Mot de passe', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Se connecter', exact: true }).click();
    await waitForHeading(page, 'Accueil');
    await page.getByRole('link', { name: 'Paiements', exact: true }).click();

    const row = page.getByRole('row', { name: /order-1042/ });
    await row.getByText('Effectué').waitFor();
    t.regex((await row.locator('time').first().textContent()) ?? '', /^(il y a |maintenant)/);
    t.regex((await row.textContent()) ?? '', /1[\s\u202f]234,56/);
    await row.getByRole('link').first().click();
    await page.getByText('Paiement effectué').waitFor();
    t.deepEqual(await barriersOn(page), []);
    t.true(await page.getByText('Chronologie').isVisible());

    await page.getByRole('button', { name: 'Rembourser', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Rembourser le paiement' });
    await dialog.getByLabel('Montant').fill('5,50');
    await dialog.getByRole('button', { name: /^Rembourser/ }).click();
    await dialog.getByText('Saisissez un montant, par exemple 5000.00.').waitFor();
    t.deepEqual(await barriersOn(page), []);
    await dialog.getByLabel('Montant').fill('5.50');
    await dialog.getByRole('button', { name: /^Rembourser 5,50/ }).click();
    await page.getByText('Remboursé en partie').first().waitFor();
    await page.goto(`${server().url}/dashboard/test/payments?status=refunded`);
    await page.getByText('1–1 sur 1').waitFor();
  },
);

test.serial(
  'the language that a user chooses stays for the sign-in of this browser, and comes to another browser after the sign-in',
  async (t) => {
    const { email } = await createMerchantWithUser(server(), 'Librairie Ada');
    const page = await openPage(t, { isNew: true });
    await openAccount(page, server(), { tab: 'profile', email });
    t.is(await languageOf(page), 'en');
    await page.getByLabel('Language', { exact: true }).selectOption('fr-FR');
    await page.getByRole('button', { name: 'Save', exact: true }).last().click();
    await waitForHeading(page, 'Votre compte');
    t.is(await languageOf(page), 'fr');
    await page.getByRole('button', { name: /^Compte de/ }).click();
    await page.getByRole('menuitem', { name: 'Se déconnecter' }).click();
    await waitForHeading(page, 'Se connecter à Tillhook');
    for (const [path, heading] of [
      ['forgot-password', 'Mot de passe oublié ?'],
      ['invitation', 'Cette invitation ne fonctionne pas'],
      ['reset-password', 'Ce lien ne fonctionne pas'],
    ]) {
      await page.goto(`${server().url}/dashboard/${path}`);
      await waitForHeading(page, heading ?? '');
    }

    const other = await openPage(t, { isNew: true });
    await other.goto(`${server().url}/dashboard/test/settings`);
    await waitForHeading(other, 'Sign in to Tillhook');
    await other.getByLabel('Email').fill(email);
    await other.getByLabel('Password', { exact: true }).fill(password);
    await other.getByRole('button', { name: 'Sign in', exact: true }).click();
    await waitForHeading(other, 'Paramètres');
    t.is(await languageOf(other), 'fr');
    await other.goto(`${server().url}/dashboard/test/account?tab=profile`);
    await other.getByLabel('Langue', { exact: true }).selectOption('');
    await other.getByRole('button', { name: 'Enregistrer', exact: true }).last().click();
    await waitForHeading(other, 'Your account');
    t.deepEqual(
      await other
        .context()
        .cookies(`${server().url}/dashboard`)
        .then((all) => all.map(({ name }) => name).filter((name) => name.endsWith('language'))),
      [],
    );
  },
);

test.serial('a page in French loads only French scripts, at most 200 KB gzipped', async (t) => {
  const { email } = await createMerchantWithUser(server(), 'Librairie Ada');
  const page = await openPage(t, { locale: 'fr-FR' });
  await page.goto(`${server().url}/dashboard`);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Mot de passe', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Se connecter', exact: true }).click();
  await waitForHeading(page, 'Accueil');
  const scripts = new Set<string>();
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.add(new URL(request.url()).pathname.split('/').at(-1) ?? '');
  });

  await page.reload({ waitUntil: 'networkidle' });

  const dist = new URL('../../server/dashboard/dist/', import.meta.url);
  const sizes = [...scripts].map((name) => readFileSync(new URL(`assets/${name}.gz`, dist)).length);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  t.log(`${scripts.size} scripts, ${total} bytes gzipped`);
  t.true(total > 50_000 && total <= 200 * 1024);
  t.deepEqual(
    [...scripts].filter((name) => readFileSync(new URL(`assets/${name}`, dist), 'utf8').includes('Skip to content')),
    [],
  );
});
