import ar from './ar.json' with { type: 'json' };
import de from './de.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };
import fr from './fr.json' with { type: 'json' };
import pt from './pt.json' with { type: 'json' };

export type WordKey = keyof typeof en;

/** Portuguese is Brazilian Portuguese, and Arabic is Modern Standard Arabic. */
export const catalogues = { en, fr, es, pt, de, ar } satisfies Record<string, Record<WordKey, string>>;

export type Language = keyof typeof catalogues;
