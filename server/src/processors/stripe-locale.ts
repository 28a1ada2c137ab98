import type { Stripe } from 'stripe';

type Locale = Stripe.Checkout.SessionCreateParams.Locale;

/** The locales of Stripe's page. Stripe refuses any other. */
const known: readonly Locale[] = [
  'bg',
  'cs',
  'da',
  'de',
  'el',
  'en',
  'en-GB',
  'es',
  'es-419',
  'et',
  'fi',
  'fil',
  'fr',
  'fr-CA',
  'hr',
  'hu',
  'id',
  'it',
  'ja',
  'ko',
  'lt',
  'lv',
  'ms',
  'mt',
  'nb',
  'nl',
  'pl',
  'pt',
  'pt-BR',
  'ro',
  'ru',
  'sk',
  'sl',
  'sv',
  'th',
  'tr',
  'vi',
  'zh',
  'zh-HK',
  'zh-TW',
];

/** The wanted locale if Stripe has it, else its language. With `auto`, Stripe uses the browser's language. */
export function stripeLocale(wanted: string | null): Locale {
  const [language = ''] = wanted?.split('-') ?? [];
  return known.find((locale) => locale === wanted) ?? known.find((locale) => locale === language) ?? 'auto';
}
