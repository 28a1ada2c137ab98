/**
 * Pays a checkout as a customer with a browser does.
 *
 * Choice: the API can complete a test payment with one card only, and the card decides what becomes of a refund. So
 * this card is entered on the hosted page, whose address the service gave. It is the only request of these commands
 * that the SDK does not make, and it carries no key.
 */
import { CommandError } from './environment.ts';

/** Sends the form of the page with this card. What became of the payment is for the API to say. */
export async function payAtHostedPage(
  checkoutUrl: string,
  { card, signal }: { card: string; signal: AbortSignal },
): Promise<void> {
  const page = await fetch(checkoutUrl, { signal }).catch(unreachable(checkoutUrl));
  const html = await page.text();
  const hidden = [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  const form = new URLSearchParams(hidden.map(([, name = '', value = '']): [string, string] => [name, value]));
  const year = (new Date().getFullYear() + 2) % 100;
  for (const [name, value] of Object.entries({ cardNumber: card, expiry: `12 / ${year}`, cvc: '123' }))
    form.set(name, value);
  form.set('cardName', 'Ada Lovelace');
  await fetch(checkoutUrl, { method: 'POST', body: form, redirect: 'manual', signal }).catch(unreachable(checkoutUrl));
}

const unreachable = (url: string) => (error: Error) => {
  if (error.name === 'AbortError') throw error;
  throw new CommandError(`The hosted page ${new URL(url).origin} gave no answer.`, {
    advice: 'It is the PUBLIC_URL of the service: this computer must reach it.',
  });
};
