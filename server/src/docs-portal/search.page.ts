import { type Html, html } from '../kit/html.ts';
import type { Found } from './search-index.ts';

/** What was found, as the script shows it while the reader types and as a page without it. */
export function searchResults(found: Found[], asked: string, base: string): Html {
  const count = found.length === 1 ? '1 result' : `${found.length} results`;
  return html`<h1>Search</h1>
<p>${asked === '' ? 'Type what you look for in the field above.' : `${count} for “${asked}”`}</p>
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
