import type { CheckoutRequest } from '@tillhook/openapi';
import type { WordKey } from '@tillhook/server/src/pages/checkout/words/catalogues.ts';
import type { Page } from 'playwright-core';
import { payByForm, submitPage } from '../money/hosted-page.ts';
import { leaveAttemptUndecided } from '../money/payments.ts';
import type { OwnServer } from '../server/tillhook.ts';
import {
  amexCard,
  declinedCard,
  expireCheckout,
  fillIn,
  formLabels,
  goodCard,
  pay,
  payByPhone,
  said,
  showAsPrinted,
  threeDSecureCard,
  useLiveProcessorAt,
  waitForHeading,
} from './checkout-page.ts';
import { continueToPay, forgeNonce, openBranded, openCheckout, openLive, processorPage } from './open-checkout.ts';
import { openLink, openProductLink, sendInvalidForm } from './open-link.ts';
import type { Scenes } from './scene.ts';

export const checkoutScenes: Scenes = {
  'the card form': async (page, server) => {
    await openCheckout(page, server);
  },
  'the card form of a merchant with a logo and a colour': (page, server) => openBranded(page, server, '#1f4fbf'),
  'the card form with line items': async (page, server) => {
    await openCheckout(page, server, manyItems);
  },
  'the card form with mistakes': async (page, server) => {
    await openCheckout(page, server);
    await page.getByRole('button', { name: formLabels().pay }).click();
    await page.getByRole('alert').waitFor();
  },
  'the choice of a payment method': async (page, server) => {
    await openCheckout(page, server, { currency: 'KES' });
    await choose(page, 'method.mobileMoney');
  },
  'the mobile money form with mistakes': (page, server) => openPhoneMistakes(page, server),
  'the page that waits for a bank transfer': (page, server) => openTransfer(page, server),
  'the page that waits for a confirmation on the phone': async (page, server) => {
    await openCheckout(page, server, { currency: 'KES', paymentMethods: ['mobile_money'] });
    await payByPhone(page, { number: '+254700000003' });
    await waitForHeading(page, said('phone.heading'));
  },
  'the page of a payment for which another amount came': async (page, server) => {
    const { client, reference } = await openCheckout(page, server);
    await client.test.receiveBankTransfer(reference, { amount: 400_000 });
    await page.reload();
    await waitForHeading(page, said('review.heading'));
  },
  'the page after a decline': (page, server) =>
    payWith(page, server, { number: declinedCard, outcome: 'declined.heading' }),
  'the 3-D Secure step': (page, server) => payWith(page, server, { number: threeDSecureCard, outcome: 'step.heading' }),
  'the receipt': (page, server) => payWith(page, server, { number: goodCard, outcome: 'paid.heading' }),
  'the page of a payment that is paid already': async (page, server) => {
    const { checkoutUrl, client, reference } = await openCheckout(page, server);
    await client.testHelpers.completePayment(reference);
    await page.goto(checkoutUrl);
    await waitForHeading(page, said('alreadyPaid.heading'));
  },
  'the page of a payment that is being decided': async (page, server) => {
    const { accessCode } = await openCheckout(page, server);
    await leaveAttemptUndecided(server, accessCode);
    await page.reload();
    await waitForHeading(page, said('processing.heading'));
  },
  'the page of a payment that failed': async (page, server) => {
    const { checkoutUrl } = await openCheckout(page, server);
    for (const number of [declinedCard, declinedCard, declinedCard]) await payByForm(checkoutUrl, number);
    await page.reload();
    await waitForHeading(page, said('failed.heading'));
  },
  'the page of a payment that its customer cancelled': async (page, server) => {
    const { checkoutUrl } = await openCheckout(page, server);
    await payByForm(checkoutUrl, declinedCard);
    await submitPage(checkoutUrl, '/return', {});
    await page.reload();
    await waitForHeading(page, said('cancelled.byCustomer'));
  },
  'the page of a payment that expired': async (page, server) => {
    const { client } = await openCheckout(page, server);
    await expireCheckout(client);
    await page.reload();
    await waitForHeading(page, said('expired.heading'));
  },
  'the page of a payment link': async (page, server) => {
    await openLink(page, server, { suggestedAmount: 500_000, minAmount: 50_000 });
  },
  'the page of a payment link for a product': (page, server) => openProductLink(page, server),
  'the page of a payment link with mistakes': async (page, server) => {
    await openLink(page, server, { minAmount: 50_000, maxAmount: 100_000_000 });
    await sendInvalidForm(page);
    await page.getByRole('alert').waitFor();
  },
  'the page of a payment link that is stopped': async (page, server) => {
    const { client, link } = await openLink(page, server, { amount: 500_000 });
    await client.paymentLinks.update(link.id, { isActive: false });
    await page.reload();
    await waitForHeading(page, said('link.stopped.heading'));
  },
  'the page of a payment link that has expired': async (page, server) => {
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const { client } = await openLink(page, server, { amount: 500_000, expiresAt });
    await client.test.advanceTime({ seconds: 3600 });
    await page.reload();
    await waitForHeading(page, said('expired.heading'));
  },
  'no such payment link': async (page, { url }) => {
    await page.goto(`${url}/pay/nowhere`);
    await waitForHeading(page, said('link.unknown.heading'));
  },
  'no such payment': async (page, { url }) => {
    await page.goto(`${url}/checkout/nowhere`);
    await waitForHeading(page, said('error.notFound.heading'));
  },
  'a live payment without a processor': async (page, server) => {
    delete server.context.processors.live;
    const { liveClient } = await server.createMerchant('Ada’s Books');
    useLiveProcessorAt(server, processorPage);
    const { data } = await liveClient.checkout.create({ email: 'ada@example.com', amount: 500_000 });
    delete server.context.processors.live;
    await page.goto(data.checkoutUrl);
    await waitForHeading(page, said('error.unavailable.heading'));
  },
  'the page before the processor’s': async (page, server) => {
    await openLive(page, server);
    await forgeNonce(page);
    await continueToPay(page);
    await page.getByRole('alert').waitFor();
  },
  'the page while the processor gives no answer': async (page, server) => {
    await openLive(page, server, null);
    await continueToPay(page);
    await waitForHeading(page, said('connecting.heading'));
  },
  'the page that leads to the processor’s': async (page, server) => {
    await openLive(page, server);
    await continueToPay(page);
    await waitForHeading(page, said('onward.heading'));
  },
  'the page of a payment that was begun at the processor’s': async (page, server) => {
    const checkoutUrl = await openLive(page, server);
    // The browser would follow the redirect to the processor, so the request is sent without the browser.
    await submitPage(checkoutUrl, '', {});
    await page.reload();
    await waitForHeading(page, said('begun.heading'));
  },
};

export const checkoutStates: Scenes = {
  'the choice of a payment method, with bank transfer': async (page, server) => {
    await openCheckout(page, server);
    await choose(page, 'method.bankTransfer');
  },
  'the page after a decline on the phone': async (page, server) => {
    await openCheckout(page, server, { currency: 'KES' });
    await choose(page, 'method.mobileMoney');
    await payByPhone(page, { number: '+254700000001' });
    await page.getByRole('heading', { name: said('declined.heading') }).waitFor({ timeout: 30_000 });
  },
  'the card form with its test cards': async (page, server) => {
    await openCheckout(page, server);
    await page.getByRole('link', { name: said('form.useTestCard') }).click();
  },
  'the card form with an American Express card': async (page, server) => {
    await openCheckout(page, server);
    await fillIn(page, { number: amexCard, cvc: '1234' }, formLabels());
  },
  'the card form with a mistake in a field that was left': async (page, server) => {
    await openCheckout(page, server);
    await page.getByLabel(said('field.cardNumber')).fill('4242 4242 4242 4241');
    await page.getByLabel(said('field.expiry')).focus();
    await page.getByText(said('problem.cardNumber.wrong')).waitFor();
  },
  'the card form of a merchant whose colour is white': (page, server) => openBranded(page, server, '#ffffff'),
  'the card form of a merchant whose colour is black': (page, server) => openBranded(page, server, '#000000'),
  'the receipt of a merchant whose colour is grey': async (page, server) => {
    await openBranded(page, server, '#777777');
    await pay(page, { number: goodCard }, formLabels());
    await waitForHeading(page, said('paid.heading'));
  },
  'the receipt with line items': async (page, server) => {
    await openCheckout(page, server, manyItems);
    await pay(page, { number: goodCard }, formLabels());
    await waitForHeading(page, said('paid.heading'));
    await page.locator('.line-items summary').click();
  },
  'the card form that is refused as forged': async (page, server) => {
    await openCheckout(page, server);
    await forgeNonce(page);
    await pay(page, { number: goodCard }, formLabels());
    await page.getByRole('alert').waitFor();
  },
  'the card form in its last minutes': async (page, server) => {
    const { client } = await openCheckout(page, server);
    await client.test.advanceTime({ seconds: 86_400 - 299 });
    await page.reload();
    await page.getByRole('timer').waitFor();
  },
  'the card form after a wrong security code': (page, server) =>
    payWith(page, server, { number: '4000 0000 0000 0127', outcome: 'declined.heading' }),
  'the receipt on paper': async (page, server) => {
    await payWith(page, server, { number: goodCard, outcome: 'paid.heading' });
    await showAsPrinted(page);
  },
  'the page of a payment that the merchant cancelled': async (page, server) => {
    const { client, reference } = await openCheckout(page, server);
    await client.payments.cancel(reference);
    await page.reload();
    await waitForHeading(page, said('cancelled.byMerchant'));
  },
  'the page of a payment that the merchant cancelled after a decline': async (page, server) => {
    const { client, reference, checkoutUrl } = await openCheckout(page, server);
    await payByForm(checkoutUrl, declinedCard);
    await client.payments.cancel(reference);
    await page.reload();
    await waitForHeading(page, said('cancelled.byMerchant'));
  },
};

/** Pages in the language with the longest words, and in a language that is written from right to left. */
export const languageScenes: Scenes = { ...scenesIn('German', 'de'), ...scenesIn('Arabic', 'ar-EG') };

const manyItems: Partial<CheckoutRequest> = {
  amount: 500_000,
  lineItems: [
    { name: 'Paperback atlas of the inland waterways of West Africa', quantity: 2, unitAmount: 150_000 },
    { name: 'أطلس الأنهار', quantity: 1, unitAmount: 75_000 },
    { name: 'Notebook', quantity: 12, unitAmount: 5_000 },
    { name: 'Pencil', quantity: 10, unitAmount: 1_000 },
    { name: 'Bookmark, with our compliments', quantity: 1, unitAmount: 0 },
    { name: 'Gift wrapping', quantity: 1, unitAmount: 10_000 },
    { name: 'Postage', quantity: 1, unitAmount: 25_000 },
    { name: 'VAT', quantity: 1, unitAmount: 20_000 },
  ],
};

const inLanguageOf = (locale: string | undefined) => (locale ? { locale } : {});

interface Paying {
  number: string;
  outcome: WordKey;
  locale?: string;
}

async function payWith(page: Page, server: OwnServer, { number, outcome, locale }: Paying): Promise<void> {
  await openCheckout(page, server, inLanguageOf(locale));
  await pay(page, { number }, formLabels(locale));
  await page.getByRole('heading', { name: said(outcome, locale) }).waitFor();
}

const choose = (page: Page, method: WordKey, locale?: string) =>
  page.getByRole('radio', { name: said(method, locale) }).check();

async function openTransfer(page: Page, server: OwnServer, locale?: string): Promise<void> {
  await openCheckout(page, server, inLanguageOf(locale));
  await choose(page, 'method.bankTransfer', locale);
  await page.getByRole('button', { name: said('transfer.start', locale) }).click();
  await page.locator('.account').waitFor();
}

async function openPhoneMistakes(page: Page, server: OwnServer, locale?: string): Promise<void> {
  await openCheckout(page, server, { currency: 'KES', ...inLanguageOf(locale) });
  await choose(page, 'method.mobileMoney', locale);
  await page.getByLabel(said('phone.number', locale)).fill('0700 123');
  await page.getByRole('button', { name: formLabels(locale).pay }).click();
  await page.getByRole('alert').waitFor();
}

function scenesIn(language: string, locale: string): Scenes {
  return {
    [`the card form with mistakes in ${language}`]: async (page, server) => {
      await openCheckout(page, server, inLanguageOf(locale));
      await page.getByRole('button', { name: formLabels(locale).pay }).click();
      await page.getByRole('alert').waitFor();
    },
    [`the mobile money form with mistakes in ${language}`]: (page, server) => openPhoneMistakes(page, server, locale),
    [`the page that waits for a bank transfer in ${language}`]: (page, server) => openTransfer(page, server, locale),
    [`the page after a decline in ${language}`]: (page, server) =>
      payWith(page, server, { number: declinedCard, outcome: 'declined.heading', locale }),
    [`the 3-D Secure step in ${language}`]: (page, server) =>
      payWith(page, server, { number: threeDSecureCard, outcome: 'step.heading', locale }),
    [`the receipt in ${language}`]: (page, server) =>
      payWith(page, server, { number: goodCard, outcome: 'paid.heading', locale }),
  };
}
