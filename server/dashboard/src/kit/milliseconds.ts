import { lazyFormat } from './locale.ts';

const milliseconds = lazyFormat((locale) => new Intl.NumberFormat(locale, { style: 'unit', unit: 'millisecond' }));

/** Returns "15,000 ms". */
export const inMs = (duration: number): string => milliseconds().format(duration);
