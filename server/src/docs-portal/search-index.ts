import MiniSearch from 'minisearch';
import { headingId } from './markdown.ts';
import type { Page, PageGroup } from './page.ts';

/** A page or a section of one that fits what was asked. */
export interface Found {
  /** Below `/docs`. */
  address: string;
  title: string;
  /** The page that a section is of, or the group of a page. */
  within: string;
  excerpt: string;
}

export type Search = (asked: string, most: number) => Found[];

/** Of what is asked: the characters that are read at all, and the different terms among them. */
export const mostCharacters = 100;
const mostTerms = 6;

/** Searches every page by its sections. Choice: on the server, so that readers load no index and one serves with and without script. */
export function searchOf(groups: PageGroup[]): Search {
  const entries = groups.flatMap(({ title, pages }) => pages.flatMap((page) => sectionsOf(page, title)));
  const index = new MiniSearch<Found & { text: string }>({
    idField: 'address',
    fields: ['title', 'within', 'text'],
    storeFields: ['address', 'title', 'within', 'excerpt'],
    searchOptions: {
      combineWith: 'AND',
      tokenize: termsOf,
      // A single letter begins so many words that looking at all of them would keep other readers waiting.
      prefix: (term) => term.length > 1,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      boost: { title: 5 },
      boostDocument: (address) => weightOf(String(address)),
    },
  });
  index.addAll(entries);
  return (asked, most) =>
    index
      .search(asked.slice(0, mostCharacters))
      .slice(0, most)
      .map(({ address, title, within, excerpt }) => ({ address, title, within, excerpt }));
}

/** Each term is searched for separately, so a query has few terms and none twice. */
function termsOf(asked: string): string[] {
  const words = tokenize(asked.toLowerCase()).filter((word) => word !== '');
  return [...new Set(words)].slice(0, mostTerms);
}

const tokenize: (text: string) => string[] = MiniSearch.getDefault('tokenize');

/** A reader who types a word or two wants the page about it, rather than an operation that mentions it. */
function weightOf(address: string): number {
  if (address.startsWith('/reference/')) return 1;
  return address.includes('#') ? 1.3 : 2;
}

/** The page with what stands before its first heading, and each part under a heading. */
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

/** The first words that are prose: no table, no code. */
function excerptOf(text: string): string {
  const paragraph = text.split('\n\n').find((block) => /^[A-Z`[]/.test(block)) ?? '';
  const plain = paragraph.replace(/[`*]|\]\([^)]*\)|\[/g, '').replaceAll('\n', ' ');
  return plain.length > 160 ? `${plain.slice(0, 157)}…` : plain;
}
