/** The code of the documentation's quick start. It runs unchanged, and a test runs it. */

import { type Language, wholeProgram } from '../../../../docs/quick-start/languages.ts';
import { formatAmount, wholeAmount } from '../kit/amount.ts';
import type { Language as ColouredLanguage } from '../kit/highlight.ts';
import { languageOf } from '../kit/languages.ts';
import { type ProgramFiles, textAt } from '../kit/program-files.ts';

export interface Step {
  title: string;
  about: string;
  code: string;
  language?: ColouredLanguage | undefined;
}

export interface Place {
  baseUrl: string;
  /** The API key, or a placeholder when there is no key to show. */
  apiKey: string;
  currency: string;
}

const checkoutIn = (currency: string) => ({ email: 'ada@example.com', amount: wholeAmount(5_000, currency) });

export function curlSteps({ baseUrl, apiKey, currency }: Place): Step[] {
  const checkout = checkoutIn(currency);
  return [
    { title: 'Set the key', about: 'In your shell, for the next steps.', code: `KEY=${apiKey}`, language: 'bash' },
    {
      title: 'Check the key',
      about: 'The response has the merchant, the mode and the permissions of the key.',
      code: `curl "${baseUrl}/api/v1/me" \\\n  -H "Authorization: Bearer $KEY"`,
      language: 'bash',
    },
    {
      title: 'Create a checkout',
      about: `Amounts are in the minor unit: ${checkout.amount} is ${formatAmount(checkout.amount, currency)}. Open the checkoutUrl in the response and pay.`,
      code: `curl "${baseUrl}/api/v1/payments/checkout" \\
  -H "x-api-key: $KEY" \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(checkout)}'`,
      language: 'bash',
    },
  ];
}

/** The program reads the key and the URL of the service from environment variables. */
export function programSteps(
  { name, checkout: { file, run, path } }: Language,
  { baseUrl, apiKey, currency }: Place,
  files: ProgramFiles,
): Step[] {
  const { amount } = checkoutIn(currency);
  const sdk = name === 'TypeScript' ? ' The page about the SDK in the docs says how to get it.' : '';
  return [
    {
      title: 'Set the key',
      about: 'In your shell, for the next steps.',
      code: `export TILLHOOK_API_KEY=${apiKey}\nexport TILLHOOK_BASE_URL=${baseUrl}`,
      language: 'bash',
    },
    {
      title: 'Create a checkout',
      about: `Save it as ${file} and run it: ${run}. Then open the address that it prints, and pay ${formatAmount(amount, currency)}.${sdk}`,
      code: wholeProgram(textAt(files, path))
        .trim()
        .replace('500000', String(amount))
        .replace('http://localhost:3000', () => baseUrl),
      language: languageOf(name),
    },
  ];
}
