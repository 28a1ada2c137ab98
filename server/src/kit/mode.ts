/** Whether money is real. */
export type Mode = 'test' | 'live';
