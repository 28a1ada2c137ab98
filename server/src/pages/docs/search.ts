import { setImmediate } from 'node:timers/promises';
import MiniSearch from 'minisearch';
import { maxSearchCharacters } from '../../kit/bar.ts';

export interface Found {
  /** The path below `/docs`. */
  address: string;
  /** The title, split at the matched words: each element with an odd index is a matched word. */
  title: string[];
  /** The title of the page that contains the section. For a page, the title of its group. */
  within: string;
  /** The text around the first match, split at the matched words. */
  excerpt: string[];
  isOfOperation: boolean;
}

export interface Findings {
  found: Found[];
  /** Whether the results contain only some words of the query, because no page contains all of them. */
  isPartial: boolean;
  /** Queries with similar words that do find something. Only filled when the query itself found nothing. */
  nearest: string[];
  /** Whether the query has more characters or terms than the search reads. */
  isCut: boolean;
}

export type Search = (query: string, max: number) => Promise<Findings>;

export interface Entry {
  address: string;
  title: string;
  within: string;
  text: string;
  /** The text without Markdown, created when first shown, because removing Markdown takes longer than the search. */
  plain?: string;
  /** The path of a page, which is searched too, such as `/errors`. Empty for a section. */
  path: string;
}

const excerptLength = 160;
export const maxTerms = 6;
/** The maximum length of a word for which similar words are found too: for a longer word, this would take too long. */
const maxSimilarLength = 30;
/** Answers are cached, because anybody may search, and a search costs more processor time than any other page. */
const maxRemembered = 100;

/** Choice: the server searches, so that readers load no index and the search also works without script. */
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
      // Lets the process handle other requests between two searches.
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
 * Choice: guides come before operations, because guides explain. But an operation whose name is the query comes first,
 * and three places are reserved for other operations.
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

/** The index is created in small steps, so that the process can handle other requests in between. */
async function indexOf(entries: readonly Entry[]): Promise<MiniSearch<Entry>> {
  // MiniSearch asks for the weight of an entry at each matching word, so the weights are computed in advance.
  const weights = new Map(entries.map(({ address }) => [address, weightOf(address)]));
  const index = new MiniSearch<Entry>({
    idField: 'address',
    fields: ['title', 'within', 'text', 'path'],
    tokenize,
    searchOptions: {
      tokenize: termsOf,
      // A prefix of one letter, or of two letters in a query with several terms, matches so many words that the search
      // would delay other readers.
      prefix: (term, _index, terms) => term.length > (terms.length > 1 ? 2 : 1),
      fuzzy: (term) => (term.length > 4 && term.length <= maxSimilarLength ? 0.2 : false),
      boost: { title: 5 },
      boostDocument: (address) => weights.get(address) ?? 1,
    },
  });
  await index.addAllAsync(entries, { chunkSize: 10 });
  return index;
}

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

/** Each term costs a search, so the number of terms is limited and duplicates are removed. */
function termsOf(query: string): string[] {
  return wordsOf(query).slice(0, maxTerms);
}

function wordsOf(query: string): string[] {
  return [...new Set(tokenize(query.toLowerCase()).filter((word) => word !== ''))];
}

const usualTokens: (text: string) => string[] = MiniSearch.getDefault('tokenize');

/** Words in code count without the backticks around them. A truncated word such as `refu…` is ignored. */
function tokenize(text: string): string[] {
  return usualTokens(text.replaceAll(/`|\p{L}+…/gu, ' '));
}

function isOfOperation(address: string): boolean {
  return address.startsWith('/reference');
}

/** Short words such as "a" are left out, because they match nearly all pages. */
function longTermsOf(query: string): string {
  const terms = termsOf(query);
  return terms.length < 2 ? '' : terms.filter((term) => term.length > 2).join(' ');
}

/** A reader who types one or two words wants the page about that subject, not an operation that mentions it. */
function weightOf(address: string): number {
  // A page that names all operations or events matches nearly every query, so its weight is low.
  if (/^\/(reference|benchmarks-and-chaos|first-hour)(#|$)/.test(address)) return 0.2;
  if (address.startsWith('/reference/')) return address.includes('#') ? 0.4 : 1;
  return address.includes('#') ? 1.3 : 4;
}

/** Removes code blocks and markup. Dots separate the cells of a table. */
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

/** Returns the beginning of the text when it contains none of the terms. The terms are in lower case. */
export function excerptAround(text: string, terms: readonly string[]): string {
  const at = terms.length === 0 ? 0 : Math.max(text.search(patternOf(terms)), 0);
  if (text.length <= excerptLength) return text;
  const from = at < excerptLength / 2 ? 0 : text.indexOf(' ', at - excerptLength / 3) + 1;
  const start = from > at ? at : from;
  const end = start + excerptLength >= text.length ? text.length : text.lastIndexOf(' ', start + excerptLength);
  return `${start > 0 ? '… ' : ''}${text.slice(start, Math.max(end, at))}${end < text.length ? ' …' : ''}`;
}

/** Splits a text so that each element with an odd index is a matched word: `['To ', 'verify', ' it']`. */
export function cutAtMatches(text: string, terms: readonly string[]): string[] {
  return terms.length === 0 ? [text] : text.split(patternOf(terms));
}

function patternOf(terms: readonly string[]): RegExp {
  const words = terms
    .map((term) => term.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
    .toSorted((a, b) => b.length - a.length);
  return new RegExp(`(?<![\\p{L}\\p{N}])(${words.join('|')})(?![\\p{L}\\p{N}])`, 'iu');
}
