import { setImmediate } from 'node:timers/promises';
import MiniSearch from 'minisearch';
import { maxSearchCharacters } from '../../kit/bar.ts';

/** A page, or a section of a page, that matches a query. */
export interface Found {
  /** The path below `/docs`. */
  address: string;
  /** The title, cut at the words that match: every second part is such a word. */
  title: string[];
  /** The title of the section's page, or of the page's group. */
  within: string;
  /** The text around the first match, cut like the title. */
  excerpt: string[];
  /** Whether it belongs to the page of an operation, and not to a guide. */
  isOfOperation: boolean;
}

export interface Findings {
  /** Guides first, then operations. */
  found: Found[];
  /** No page has all words of the query, so these have some of them. */
  isPartial: boolean;
  /** When nothing was found: queries with similar words, which do find something. */
  nearest: string[];
  /** The query has more characters or terms than are read. */
  isCut: boolean;
}

export type Search = (query: string, max: number) => Promise<Findings>;

/** A page, or a section of a page, as the build of the documentation lists it. */
export interface Entry {
  address: string;
  title: string;
  within: string;
  text: string;
  /** The text as results show it. Made when it is first shown, because it takes longer than the search itself. */
  plain?: string;
  /** Of a page, so that its name is found. Empty for a section. */
  path: string;
}

/** About how many characters of a text a result shows. */
const excerptLength = 160;
/** How many different terms of a query are read. */
export const maxTerms = 6;
/** No word of the pages that a reader may have meant is longer. To look for words like a long one takes long. */
const maxSimilarLength = 30;
/** How many answers are remembered. Anybody may search, and a search takes more work than any other page. */
const maxRemembered = 100;

/**
 * Searches the sections of all pages.
 * Choice: the server searches. So readers load no index, and the search also works without scripts.
 */
export function searchOf(entries: readonly Entry[]): Search {
  const byAddress = new Map(entries.map((entry) => [entry.address, entry]));
  const lastFindings = lastAnswers<Findings>();
  let indexed: Promise<MiniSearch<Entry>> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  return (text, max) => {
    const query = text.slice(0, maxSearchCharacters).toWellFormed().trim().toLowerCase();
    const isCut = text.length > maxSearchCharacters || wordsOf(query).length > maxTerms;
    const answer = async () => {
      indexed ??= indexOf(entries);
      const index = await indexed;
      // Other calls are answered between two searches, however many readers search at a time.
      await setImmediate();
      return { ...findIn(index, byAddress, { query, max }), isCut };
    };
    return lastFindings(`${max} ${isCut} ${query}`, () => {
      const turn = last.then(answer, answer);
      last = turn;
      return turn;
    });
  };
}

/** Makes an answer once for each key, and remembers those that were asked for last. */
export function lastAnswers<Answer>(): (key: string, make: () => Promise<Answer>) => Promise<Answer> {
  const remembered = new Map<string, Promise<Answer>>();
  return (key, make) => {
    const answer = remembered.get(key) ?? make();
    remembered.delete(key);
    remembered.set(key, answer);
    const [oldest = ''] = remembered.keys();
    if (remembered.size > maxRemembered) remembered.delete(oldest);
    return answer;
  };
}

interface SearchRequest {
  query: string;
  max: number;
}

function findIn(index: MiniSearch<Entry>, byAddress: ReadonlyMap<string, Entry>, { query, max }: SearchRequest) {
  const find = (text: string, combineWith: 'AND' | 'OR') =>
    index.search(text, { combineWith }).flatMap(({ id, terms }) => {
      const entry = byAddress.get(id);
      return entry ? [{ entry, terms }] : [];
    });
  const ofAll = find(query, 'AND');
  const ofSome = ofAll.length > 0 ? [] : find(longTermsOf(query), 'OR');
  const matches = ofAll.length > 0 ? ofAll : ofSome;
  const chosen = guidesFirst(matches, query, max);
  return {
    found: chosen.map(({ entry, terms }) => foundOf(entry, terms)),
    isPartial: ofSome.length > 0,
    nearest: matches.length > 0 ? [] : nearestTo(query, index),
  };
}

interface Match {
  entry: Entry;
  terms: string[];
}

/**
 * Choice: guides stand before operations, because they explain. But a reader who types the name of an operation wants
 * its page. At least three places are for operations, so that guides do not push all of them out of a short list.
 */
function guidesFirst(matches: Match[], name: string, max: number): Match[] {
  const isNamed = ({ entry: { address, title } }: Match) =>
    isOfOperation(address) &&
    !address.includes('#') &&
    [address.replace('/reference/', ''), title].some((one) => one.toLowerCase() === name);
  const named = matches.filter(isNamed);
  const operations = matches.filter((match) => isOfOperation(match.entry.address) && !isNamed(match));
  const guides = matches.filter(({ entry }) => !isOfOperation(entry.address));
  const room = max - named.length - Math.min(operations.length, 3);
  return [...named, ...guides.slice(0, room), ...operations].slice(0, max);
}

function foundOf(entry: Entry, terms: readonly string[]): Found {
  const { address, title, within } = entry;
  entry.plain ??= plainText(entry.text);
  return {
    address,
    title: cutAtMatches(title, terms),
    within,
    excerpt: cutAtMatches(excerptAround(entry.plain, terms), terms),
    isOfOperation: isOfOperation(address),
  };
}

/** Made in parts at the first search, so that other calls are answered in between. */
async function indexOf(entries: readonly Entry[]): Promise<MiniSearch<Entry>> {
  // Asked for each word of each entry that matches.
  const weights = new Map(entries.map(({ address }) => [address, weightOf(address)]));
  const index = new MiniSearch<Entry>({
    idField: 'address',
    fields: ['title', 'within', 'text', 'path'],
    tokenize,
    searchOptions: {
      tokenize: termsOf,
      // So many words begin with one letter that a search through all of them would delay other readers, and so do those of
      // several terms that begin with two.
      prefix: (term, _index, terms) => term.length > (terms.length > 1 ? 2 : 1),
      fuzzy: (term) => (term.length > 4 && term.length <= maxSimilarLength ? 0.2 : false),
      boost: { title: 5 },
      boostDocument: (address) => weights.get(address) ?? 1,
    },
  });
  await index.addAllAsync(entries, { chunkSize: 10 });
  return index;
}

/** The query with each unknown word replaced by similar words. Empty when there are none. */
function nearestTo(query: string, index: MiniSearch<Entry>): string[] {
  const similar = termsOf(query).map((term) =>
    index.search(term).length > 0
      ? [term]
      : index.autoSuggest(term, { fuzzy: term.length <= maxSimilarLength && 0.35 }).map(({ suggestion }) => suggestion),
  );
  const known = similar.filter((words) => words.length > 0);
  const queries = [0, 1, 2].map((at) => known.map((words) => words[at] ?? words[0]).join(' '));
  return [...new Set(queries)].filter((text) => index.search(text, { combineWith: 'AND' }).length > 0);
}

/** The terms of a query. Each one costs a search, so they are few, and none is searched for twice. */
function termsOf(query: string): string[] {
  return wordsOf(query).slice(0, maxTerms);
}

function wordsOf(query: string): string[] {
  return [...new Set(tokenize(query.toLowerCase()).filter((word) => word !== ''))];
}

const usualTokens: (text: string) => string[] = MiniSearch.getDefault('tokenize');

/** Words in code are words without the marks around them. A word that was cut off, such as `refu…`, is none. */
function tokenize(text: string): string[] {
  return usualTokens(text.replaceAll(/`|\p{L}+…/gu, ' '));
}

function isOfOperation(address: string): boolean {
  return address.startsWith('/reference');
}

/** When a page needs to have only some of the words, short words such as "a" would find nearly all pages. */
function longTermsOf(query: string): string {
  const terms = termsOf(query);
  return terms.length < 2 ? '' : terms.filter((term) => term.length > 2).join(' ');
}

/** A reader who types one or two words wants the page about them, rather than an operation that mentions them. */
function weightOf(address: string): number {
  // These pages name all operations or events, so they have a little of everything.
  if (/^\/(reference|benchmarks-and-chaos|first-hour)(#|$)/.test(address)) return 0.2;
  if (address.startsWith('/reference/')) return address.includes('#') ? 0.4 : 1;
  return address.includes('#') ? 1.3 : 4;
}

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
  const at = terms.length === 0 ? 0 : Math.max(text.search(patternOf(terms)), 0);
  if (text.length <= excerptLength) return text;
  const from = at < excerptLength / 2 ? 0 : text.indexOf(' ', at - excerptLength / 3) + 1;
  const start = from > at ? at : from;
  const end = start + excerptLength >= text.length ? text.length : text.lastIndexOf(' ', start + excerptLength);
  return `${start > 0 ? '… ' : ''}${text.slice(start, Math.max(end, at))}${end < text.length ? ' …' : ''}`;
}

/** Cuts a text so that every second part is a word that matches: `['To ', 'verify', ' it']`. */
export function cutAtMatches(text: string, terms: readonly string[]): string[] {
  return terms.length === 0 ? [text] : text.split(patternOf(terms));
}

function patternOf(terms: readonly string[]): RegExp {
  const words = terms
    .map((term) => term.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
    .toSorted((a, b) => b.length - a.length);
  return new RegExp(`(?<![\\p{L}\\p{N}])(${words.join('|')})(?![\\p{L}\\p{N}])`, 'iu');
}
