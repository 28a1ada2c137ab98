import type { ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import type { TestServer } from '../server/tillhook.ts';
import { type FormLabels, focusedSummary, goodCard, pay, startCheckout, waitForHeading } from './checkout-page.ts';

export interface Sentences {
  locale: string;
  dir: 'ltr' | 'rtl';
  labels: FormLabels;
  mistake: string;
  declined: string;
  why: string;
  paid: string;
  card: string;
}

export const languages: Sentences[] = [
  {
    locale: 'en-NG',
    dir: 'ltr',
    labels: {
      cardNumber: 'Card number',
      expiry: 'Expiry date',
      cvc: 'Security code',
      cardName: 'Name on card',
      pay: /^Pay/,
    },
    mistake: 'This card has expired; check the date or use another card',
    declined: 'Payment declined',
    why: 'The card has insufficient funds. Nothing was charged.',
    paid: 'Payment successful',
    card: 'Visa ending in 4242',
  },
  {
    locale: 'fr-CI',
    dir: 'ltr',
    labels: {
      cardNumber: 'Numéro de carte',
      expiry: 'Date d’expiration',
      cvc: 'Code de sécurité',
      cardName: 'Nom sur la carte',
      pay: /^Payer/,
    },
    mistake: 'Cette carte a expiré ; vérifiez la date ou utilisez une autre carte',
    declined: 'Paiement refusé',
    why: 'La provision de la carte est insuffisante. Rien n’a été débité.',
    paid: 'Paiement réussi',
    card: 'Visa se terminant par 4242',
  },
  {
    locale: 'es-CO',
    dir: 'ltr',
    labels: {
      cardNumber: 'Número de tarjeta',
      expiry: 'Fecha de caducidad',
      cvc: 'Código de seguridad',
      cardName: 'Nombre en la tarjeta',
      pay: /^Pagar/,
    },
    mistake: 'Esta tarjeta ha caducado; revise la fecha o use otra tarjeta',
    declined: 'Pago rechazado',
    why: 'La tarjeta no tiene fondos suficientes. No se ha cobrado nada.',
    paid: 'Pago realizado',
    card: 'Visa terminada en 4242',
  },
  {
    locale: 'pt-BR',
    dir: 'ltr',
    labels: {
      cardNumber: 'Número do cartão',
      expiry: 'Validade',
      cvc: 'Código de segurança',
      cardName: 'Nome no cartão',
      pay: /^Pagar/,
    },
    mistake: 'Este cartão está vencido; verifique a validade ou use outro cartão',
    declined: 'Pagamento recusado',
    why: 'O cartão não tem saldo suficiente. Nada foi cobrado.',
    paid: 'Pagamento aprovado',
    card: 'Visa com final 4242',
  },
  {
    locale: 'de-AT',
    dir: 'ltr',
    labels: {
      cardNumber: 'Kartennummer',
      expiry: 'Ablaufdatum',
      cvc: 'Prüfnummer',
      cardName: 'Name auf der Karte',
      pay: /bezahlen$/,
    },
    mistake: 'Diese Karte ist abgelaufen; prüfen Sie das Datum oder verwenden Sie eine andere Karte',
    declined: 'Zahlung abgelehnt',
    why: 'Die Karte ist nicht ausreichend gedeckt. Es wurde nichts abgebucht.',
    paid: 'Zahlung erfolgreich',
    card: 'Visa mit den Endziffern 4242',
  },
  {
    locale: 'ar-MA',
    dir: 'rtl',
    labels: {
      cardNumber: 'رقم البطاقة',
      expiry: 'تاريخ الانتهاء',
      cvc: 'رمز الأمان',
      cardName: 'الاسم على البطاقة',
      pay: /^ادفع/,
    },
    mistake: 'انتهت صلاحية هذه البطاقة؛ تحقق من التاريخ أو استخدم بطاقة أخرى',
    declined: 'رُفضت عملية الدفع',
    why: 'رصيد البطاقة غير كافٍ. لم يُخصم أي مبلغ.',
    paid: 'تم الدفع بنجاح',
    card: 'Visa تنتهي بالأرقام 4242',
  },
];

export async function payInLanguage(
  t: ExecutionContext,
  page: Page,
  { server, said }: { server: TestServer; said: Sentences },
): Promise<void> {
  const { locale, labels } = said;
  const { checkoutUrl, payment } = await startCheckout(server, { locale, callbackUrl: 'https://shop.example.com' });
  await page.route('https://shop.example.com/**', (route) => route.fulfill({ status: 204 }));

  await page.goto(checkoutUrl);
  await pay(page, { number: goodCard, expiry: '01 / 20' }, labels);
  await focusedSummary(page).waitFor();
  t.deepEqual((await page.getByRole('alert').getByRole('link').allTextContents()).map(withPlainSpaces), [said.mistake]);
  await isSound(t, page, said);

  await pay(page, { number: '4000 0000 0000 9995' }, labels);
  await page.getByRole('heading', { name: said.declined }).waitFor();
  await page.locator('#declined').getByText(said.why).waitFor();
  await isSound(t, page, said);

  await pay(page, { number: goodCard }, labels);
  await waitForHeading(page, said.paid);
  t.is(withPlainSpaces(await page.locator('.card-in-words').innerText()), said.card);
  await isSound(t, page, said);
  t.like(await payment(), { status: 'completed', attempts: 2, failureCode: null });
}

async function isSound(t: ExecutionContext, page: Page, { locale, dir }: Sentences): Promise<void> {
  const root = page.locator('html');
  t.is(await root.getAttribute('lang'), locale);
  t.is(await root.getAttribute('dir'), dir);
  const { scrollWidth, clientWidth } = await root.evaluate(({ scrollWidth, clientWidth }) => ({
    scrollWidth,
    clientWidth,
  }));
  t.is(scrollWidth, clientWidth);
}

/** Amounts and French texts contain no-break spaces, but tests write normal spaces. */
export function withPlainSpaces(text: string): string {
  return text
    .replace(/[\u00a0\u202f]/g, ' ')
    .replace(/[\u200e\u200f\u061c]/g, '')
    .trim();
}
