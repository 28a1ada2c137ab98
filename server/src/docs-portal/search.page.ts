import { type Html, html } from '../kit/html.ts';
import type { Found } from './search-index.ts';

/** The results of a search as a page, for browsers without scripts and for a query that was submitted. */
export function searchResults(found: Found[], query: string, base: string): Html {
  const count = found.length === 1 ? '1 result' : `${found.length} results`;
  return html`<h1>Search</h1>
<p>${query === '' ? 'Type your search into the field above.' : `${count} for “${query}”`}</p>
<ul class="found">
${found.map(
  ({
    address,
    title,
    within,
    excerpt,
  }) => html`<li><a href="${base}/docs${address}">${title}</a> <small>${within}</small>
<p>${excerpt}</p></li>
`,
)}</ul>`;
}
