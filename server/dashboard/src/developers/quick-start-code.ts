/** The code of the quick start of the documentation. It runs unchanged, and a test runs it. */

import { formatAmount, wholeAmount } from '../kit/amount.ts';

export interface Step {
  title: string;
  about: string;
  code: string;
}

export interface Place {
  baseUrl: string;
  /** A placeholder when there is no key to show. */
  apiKey: string;
  /** The currency of the merchant, which a checkout has when it names no other. */
  currency: string;
}

const checkoutIn = (currency: string) => ({ email: 'ada@example.com', amount: wholeAmount(5_000, currency) });

export function curlSteps({ baseUrl, apiKey, currency }: Place): Step[] {
  const checkout = checkoutIn(currency);
  return [
    { title: 'Keep the key', about: 'In the shell, for what follows.', code: `KEY=${apiKey}` },
    {
      title: 'Ask who you are',
      about: 'The answer names the merchant, the mode and what the key may do.',
      code: `curl "${baseUrl}/api/v1/me" \\\n  -H "Authorization: Bearer $KEY"`,
    },
    {
      title: 'Create a checkout',
      about: `Amounts are in the minor unit: ${checkout.amount} is ${formatAmount(checkout.amount, currency)}. Open the checkoutUrl of the answer and pay.`,
      code: `curl "${baseUrl}/api/v1/payments/checkout" \\
  -H "x-api-key: $KEY" \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(checkout)}'`,
    },
  ];
}

export function sdkSteps({ baseUrl, apiKey, currency }: Place): Step[] {
  const checkout = checkoutIn(currency);
  return [
    { title: 'Install the SDK', about: 'Node 20 or later.', code: 'npm install @tillhook/sdk' },
    {
      title: 'Ask who you are, and create a checkout',
      about: 'Save it as first.mjs and run it: node first.mjs. Then open the address that it prints, and pay.',
      code: `import { Tillhook } from '@tillhook/sdk';

const tillhook = new Tillhook('${apiKey}', { baseUrl: '${baseUrl}' });

const { merchant, mode } = await tillhook.account.get();
console.log(merchant.name, mode);

const { data } = await tillhook.checkout.create({ email: '${checkout.email}', amount: ${checkout.amount} });
console.log(data.checkoutUrl);`,
    },
  ];
}
