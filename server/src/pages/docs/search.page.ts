import { maxSearchCharacters } from '../../kit/bar.ts';
import { type Html, html } from '../../kit/html.ts';
import { type Findings, type Found, maxTerms } from './search.ts';

interface AnsweredSearch extends Findings {
  query: string;
  base: string;
}

/** Pages that are suggested when a search finds nothing. */
const popular = {
  '/quick-start': 'Quick start',
  '/authentication': 'Authentication',
  '/verifying-signatures': 'Verifying signatures',
  '/errors': 'Errors',
  '/reference': 'All operations',
};

/** The results as HTML, for browsers without script and for a query that was submitted with Enter. */
export function searchResults(search: AnsweredSearch): Html {
  const { found, isPartial, isCut, query, base } = search;
  const count = found.length === 1 ? '1 result' : `${found.length} results`;
  const cut =
    isCut &&
    html`<p>A search reads ${maxSearchCharacters} characters and ${maxTerms} different words, and left out the rest.</p>
`;
  const quoted = html`“<bdi>${query}</bdi>”`;
  if (query === '')
    return html`<h1>Search</h1>
<p>Type your search into the field above.</p>
${popularPages(base)}`;
  if (found.length === 0)
    return html`<h1>Search</h1>
<p>Nothing was found for ${quoted}.</p>
${cut}${nearestQueries(search)}${popularPages(base)}`;
  return html`<h1>Search</h1>
<p>${count} for ${quoted}${isPartial && '. No page has all of these words. These have some of them.'}</p>
${cut}${groupsOf(found).map(([title, members]) => list(title, members, base))}`;
}

/** Guides come first, unless the query is the name of an operation. */
function groupsOf(found: readonly Found[]): [title: string, found: Found[]][] {
  const groups: [string, Found[]][] = [
    ['Guides', found.filter(({ isOfOperation }) => !isOfOperation)],
    ['API reference', found.filter(({ isOfOperation }) => isOfOperation)],
  ];
  return found[0]?.isOfOperation ? groups.reverse() : groups;
}

function nearestQueries({ nearest, base }: AnsweredSearch): Html | false {
  const links = nearest.map(
    (text) => html`<li><a href="${base}/docs/search?q=${encodeURIComponent(text)}">${text}</a></li>
`,
  );
  return (
    links.length > 0 &&
    html`<h2>Did you mean</h2>
<ul>${links}</ul>
`
  );
}

function popularPages(base: string): Html {
  const links = Object.entries(popular).map(
    ([path, title]) => html`<li><a href="${base}/docs${path}">${title}</a></li>
`,
  );
  return html`<h2>Often read</h2>
<ul>${links}</ul>`;
}

function list(title: string, found: readonly Found[] = [], base = ''): Html | false {
  return (
    found.length > 0 &&
    html`<h2>${title}</h2>
<ul class="found">
${found.map(
  (one) => html`<li><a href="${base}/docs${one.address}">${marked(one.title)}</a> <small>${one.within}</small>
<p>${marked(one.excerpt)}</p></li>
`,
)}</ul>
`
  );
}

/** In `parts`, each element with an odd index is a matched word. */
function marked(parts: readonly string[]): Html {
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<mark>${part}</mark>` : part))}`;
}
