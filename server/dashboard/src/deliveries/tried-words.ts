import { lazyFormat } from '../kit/locale.ts';
import { plural } from '../kit/plural.ts';

const count = lazyFormat((locale) => new Intl.NumberFormat(locale));

interface Tried {
  attempts: number;
  failedAttempts: number;
}

/** Returns words such as "3 of 120 failed". */
export function failedOf({ attempts, failedAttempts }: Tried): string {
  return `${count().format(failedAttempts)} of ${count().format(attempts)} failed`;
}

/** Returns words such as "3 of 120 attempts failed". */
export function triedWords(tried: Tried): string {
  const [attempts, failed] = [count().format(tried.attempts), count().format(tried.failedAttempts)];
  return plural(tried.attempts, {
    one: `${failed} of ${attempts} attempt failed`,
    other: `${failed} of ${attempts} attempts failed`,
  });
}
