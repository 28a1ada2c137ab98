import { lazyFormat } from '../kit/locale.ts';

const count = lazyFormat((locale) => new Intl.NumberFormat(locale));

interface Tried {
  attempts: number;
  failedAttempts: number;
}

/** Returns words such as "3 of 120 failed". */
export function failedOf({ attempts, failedAttempts }: Tried, noun = ''): string {
  return `${count().format(failedAttempts)} of ${count().format(attempts)}${noun} failed`;
}

/** Returns words such as "3 of 120 attempts failed". */
export function triedWords(tried: Tried): string {
  return failedOf(tried, tried.attempts === 1 ? ' attempt' : ' attempts');
}
