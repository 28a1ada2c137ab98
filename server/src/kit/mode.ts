/** Only live mode moves real money. */
export type Mode = 'test' | 'live';
