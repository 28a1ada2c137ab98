import en from './en.json' with { type: 'json' };

/** The name of a sentence. Each catalogue has the keys of the English one. */
export type WordKey = keyof typeof en;

export const catalogues = { en } satisfies Record<string, Record<WordKey, string>>;

export type Language = keyof typeof catalogues;
