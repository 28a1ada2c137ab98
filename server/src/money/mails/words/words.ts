import { speakerOf, type Words as WordsOf } from '../../../kit/words.ts';
import ar from './ar.json' with { type: 'json' };
import de from './de.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };
import fr from './fr.json' with { type: 'json' };
import pt from './pt.json' with { type: 'json' };

export type WordKey = keyof typeof en;
export type Words = WordsOf<WordKey>;

/** The mails are in the languages of the checkout pages. */
export const catalogues = { en, fr, es, pt, de, ar } satisfies Record<string, Record<WordKey, string>>;

export const { chooseWords } = speakerOf<WordKey>(catalogues);
