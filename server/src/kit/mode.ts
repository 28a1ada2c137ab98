/** The mode of a merchant's records. Only live mode moves real money. */
export type Mode = 'test' | 'live';
