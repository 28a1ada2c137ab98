/** Each text is read when it is first requested, and kept in memory with the values of this service filled in. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, sep } from 'node:path';
import type { Context } from '../../context.ts';
import { maxSearchCharacters } from '../../kit/bar.ts';
import { basePath } from '../../kit/base-path.ts';
import { escapeHtml } from '../../kit/html.ts';
import { searchResults } from './search.page.ts';
import { type Entry, lastAnswers, type Search, searchOf } from './search.ts';
import { fill, type ThisService, thisService } from './service-values.ts';

const builtFolder = `${import.meta.dirname}/../../../docs/dist`;

/** The files of the build without a URL. The build writes `search.json` last, so this file marks a complete build. */
export type UnaddressedFile = 'search.json' | 'search.html' | 'missing.html' | 'missing-elsewhere.html';

/** The search page of the build has these placeholders for the query and for the results. */
export const queryPlaceholder = 'QUERY_OF_THIS_SEARCH';
export const resultsPlaceholder = 'RESULTS_OF_THIS_SEARCH';

const types: Record<string, Record<string, string>> = {
  // All other extensions belong to programs that readers download, and get the media type `text/plain`.
  pages: { '.html': 'text/html', '.md': 'text/markdown', '.json': 'application/json' },
  // The SDK's `.ts` files keep their names but are served as JavaScript, because the build has removed their types.
  assets: { '.css': 'text/css', '.js': 'text/javascript', '.ts': 'text/javascript', '.svg': 'image/svg+xml' },
};

/** A text never changes, so its compressed forms can be cached. */
export interface Text {
  type: string;
  text: string;
}

export interface BuiltDocs {
  search: Search;
  searchPage(text: string): Promise<Text>;
  /** Returns the text at a path below `/docs`. */
  textAt(path: string): Text | undefined;
  /** Returns the text at a path below `/docs/assets`. */
  assetAt(path: string): Text | undefined;
  /** The 404 page of the documentation. `missingPageElsewhere` is the 404 page for all other URLs. */
  missingPage: Text;
  missingPageElsewhere: Text;
}

/** Returns the time of the build in milliseconds; undefined when the documentation was not built. */
function builtAt(): number | undefined {
  const last: UnaddressedFile = 'search.json';
  return statSync(`${builtFolder}/${last}`, { throwIfNoEntry: false })?.mtimeMs;
}

/** After a new build, the next call reads the documentation again. */
export function docsOf(context: Pick<Context, 'config' | 'processors' | 'publicUrl'>) {
  let read: { at?: number; docs?: BuiltDocs } = {};
  return () => {
    const at = builtAt();
    if (at !== read.at) read = at === undefined ? {} : { at, docs: readBuiltDocs(thisService(context)) };
    return read.docs;
  };
}

function readBuiltDocs(service: ThisService): BuiltDocs {
  const page = (file: UnaddressedFile) => ({ type: 'text/html', text: fill(readBuilt(file), service, true) });
  const entries: Entry[] = JSON.parse(readBuilt('search.json' satisfies UnaddressedFile));
  const search = searchOf(entries.map((entry) => ({ ...entry, text: fill(entry.text, service, false) })));
  const filled = (type: string, text: string) => fill(text, service, type === 'text/html');
  return {
    search,
    searchPage: searchPages(page('search.html').text, search, basePath(service.publicUrl)),
    textAt: textsIn('pages', filled),
    assetAt: textsIn('assets', (_type, text) => text),
    missingPage: page('missing.html'),
    missingPageElsewhere: page('missing-elsewhere.html'),
  };
}

function readBuilt(file: string): string {
  return readFileSync(`${builtFolder}/${file}`, 'utf8');
}

/** The path of a page is the path of its file without `.html`. */
function textsIn(folder: string, filled: (type: string, text: string) => string): (path: string) => Text | undefined {
  const found = readdirSync(`${builtFolder}/${folder}`, { recursive: true, encoding: 'utf8' });
  const files = new Map(
    found
      .filter((file) => extname(file) !== '')
      .map((file) => [`/${file.replaceAll(sep, '/')}`.replace(/(\/index)?\.html$/, ''), `${folder}/${file}`]),
  );
  const texts = new Map<string, Text>();
  return (path) => {
    const file = files.get(path);
    if (file === undefined) return undefined;
    const type = types[folder]?.[extname(file)] ?? 'text/plain';
    const text = texts.get(path) ?? { type, text: filled(type, readBuilt(file)) };
    texts.set(path, text);
    return text;
  };
}

export function searchPages(frame: string, search: Search, base: string): BuiltDocs['searchPage'] {
  const [before, between, after] = frame.split(new RegExp(`${queryPlaceholder}|${resultsPlaceholder}`));
  const lastPages = lastAnswers<Text>();
  return (text) => {
    const query = text.slice(0, maxSearchCharacters).toWellFormed();
    return lastPages(`${text.length > maxSearchCharacters} ${query}`, async () => {
      const results = searchResults({ ...(await search(text, 50)), query, base });
      return { type: 'text/html', text: `${before}${escapeHtml(query)}${between}${results}${after}` };
    });
  };
}
