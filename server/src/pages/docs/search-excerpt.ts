/** What a result of the search shows of a text: the words around the first match, with the matches marked. */

/** About how many characters are shown. */
const length = 160;

/** The text of Markdown without code blocks and marks. The cells of a table are separated by dots. */
export function plainText(markdown: string): string {
  return markdown
    .replace(/^```.*?^```$/gms, ' ')
    .replace(/^\|[\s|:-]+\|$/gm, ' ')
    .replace(/^\|\s*|\s*\|$/gm, ' ')
    .replace(/\s*(?<!\\)\|\s*/g, ' · ')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^(?:#+|-) |[`*\\]/gm, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The beginning of the text, when no term is in it. The terms are words of pages, in small letters. */
export function excerptAround(text: string, terms: readonly string[]): string {
  const at = terms.length === 0 ? 0 : Math.max(text.search(wordsOf(terms)), 0);
  if (text.length <= length) return text;
  const from = at < length / 2 ? 0 : text.indexOf(' ', at - length / 3) + 1;
  const start = from > at ? at : from;
  const end = start + length >= text.length ? text.length : text.lastIndexOf(' ', start + length);
  return `${start > 0 ? '… ' : ''}${text.slice(start, Math.max(end, at))}${end < text.length ? ' …' : ''}`;
}

/** Cuts a text so that every second part is a word that matches: `['To ', 'verify', ' it']`. */
export function cutAtMatches(text: string, terms: readonly string[]): string[] {
  return terms.length === 0 ? [text] : text.split(wordsOf(terms));
}

function wordsOf(terms: readonly string[]): RegExp {
  const words = terms
    .map((term) => term.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
    .toSorted((a, b) => b.length - a.length);
  return new RegExp(`(?<![\\p{L}\\p{N}])(${words.join('|')})(?![\\p{L}\\p{N}])`, 'iu');
}
