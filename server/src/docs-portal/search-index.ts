import MiniSearch from 'minisearch';
import { headingId } from './markdown.ts';
import type { Page, PageGroup } from './page.ts';

/** A page, or a section of a page, that matches a query. */
export interface Found {
  /** The path below `/docs`. */
  address: string;
  title: string;
  /** The title of the section's page, or of the page's group. */
  within: string;
  excerpt: string;
}

export type Search = (query: string, most: number) => Found[];

/** How many characters of a query are read, and how many different terms among them. */
export const mostCharacters = 100;
const mostTerms = 6;

/**
 * Searches the sections of all pages.
 * Choice: the server searches. So readers load no index, and the search also works without scripts.
 */
export function searchOf(groups: PageGroup[]): Search {
  const entries = groups.flatMap(({ title, pages }) => pages.flatMap((page) => sectionsOf(page, title)));
  const index = new MiniSearch<Found & { text: string }>({
    idField: 'address',
    fields: ['title', 'within', 'text'],
    storeFields: ['address', 'title', 'within', 'excerpt'],
    searchOptions: {
      combineWith: 'AND',
      tokenize: termsOf,
      // So many words begin with a single letter that a search through all of them would delay other readers.
      prefix: (term) => term.length > 1,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      boost: { title: 5 },
      boostDocument: (address) => weightOf(String(address)),
    },
  });
  index.addAll(entries);
  return (query, most) =>
    index
      .search(query.slice(0, mostCharacters))
      .slice(0, most)
      .map(({ address, title, within, excerpt }) => ({ address, title, within, excerpt }));
}

/** The terms of a query. Each one costs a search, so they are few, and none is searched for twice. */
function termsOf(query: string): string[] {
  const words = tokenize(query.toLowerCase()).filter((word) => word !== '');
  return [...new Set(words)].slice(0, mostTerms);
}

const tokenize: (text: string) => string[] = MiniSearch.getDefault('tokenize');

/** A reader who types one or two words wants the page about them, rather than an operation that mentions them. */
function weightOf(address: string): number {
  if (address.startsWith('/reference/')) return 1;
  return address.includes('#') ? 1.3 : 2;
}

/** One entry for the page with the text before its first heading, and one for the text below each heading. */
function sectionsOf(page: Page, group: string): (Found & { text: string })[] {
  const [lead = '', ...parts] = page.markdown.split(/^#{2,3} /m);
  const whole = { address: page.path, title: page.title, within: group, excerpt: page.summary, text: lead + page.path };
  const seen = new Set([page.path]);
  const sections = parts.flatMap((part) => {
    const [heading = '', ...lines] = part.split('\n');
    const address = `${page.path}#${headingId(heading)}`;
    if (seen.has(address)) return [];
    seen.add(address);
    const text = lines.join('\n').trim();
    return [{ address, title: heading.replaceAll('`', ''), within: page.title, excerpt: excerptOf(text), text }];
  });
  return [whole, ...sections];
}

/** The beginning of the first paragraph that is neither a table nor code. */
function excerptOf(text: string): string {
  const paragraph = text.split('\n\n').find((block) => /^[A-Z`[]/.test(block)) ?? '';
  const plain = paragraph.replace(/[`*]|\]\([^)]*\)|\[/g, '').replaceAll('\n', ' ');
  return plain.length > 160 ? `${plain.slice(0, 157)}…` : plain;
}
