import type { Mode } from '@tillhook/sdk/session';

export const modeNames: Readonly<Record<Mode, string>> = { test: 'Test', live: 'Live' };

/** The mode within a sentence. */
export const modeWords: Readonly<Record<Mode, string>> = { test: 'test mode', live: 'live mode' };
