/** In live mode money is real. */
export type Mode = 'test' | 'live';
