/** The bar at the top of the home page and of the documentation, and its style sheets. */
import { type Html, html } from './html.ts';

/** The maximum number of characters of a search. */
export const maxSearchCharacters = 100;

const sheets = ['tokens', 'bar', 'docs', 'frame', 'code', 'search'];

/** Returns the `link` elements of a page, for its icon and style sheets. */
export function styles(base: string, ofThisPage: readonly string[] = []): Html {
  return html`<link rel="icon" type="image/svg+xml" href="${base}/docs/assets/mark.svg">
${[...sheets, ...ofThisPage].map((name) => html`<link rel="stylesheet" href="${base}/docs/assets/${name}.css">\n`)}`;
}

interface Bar {
  name: string;
  /** The path that a proxy adds before all paths of this server. Empty without such a proxy. */
  base: string;
  /** The text of the search field. */
  query?: string;
  /** Whether the page has a list of contents. On a narrow screen, the button in the bar opens it. */
  hasMenu?: boolean;
  /** Whether the bar belongs to the home page. Otherwise it belongs to the documentation. */
  isHome?: boolean;
}

export function bar({ name, base, query = '', hasMenu, isHome }: Bar): Html {
  return html`<a class="skip" href="#content">Skip to the content</a>
<header class="bar">
${hasMenu && html`<button class="menu" type="button" popovertarget="contents">Menu</button>`}
<a class="brand" href="${base}${isHome ? '/' : '/docs'}"><img src="${base}/docs/assets/mark.svg" alt=""><span>${name}</span>${!isHome && html` <small>docs</small>`}</a>
<form class="search" role="search" action="${base}/docs/search">
<input name="q" value="${query}" aria-label="Search the documentation" placeholder="Search" autocomplete="off" enterkeyhint="search" maxlength="${maxSearchCharacters}">
</form>
<nav class="places" aria-label="Places">${places(base)}</nav>
</header>`;
}

export function places(base: string): Html[] {
  return [
    html`<a href="${base}/docs/reference">API reference</a>`,
    html`<a href="${base}/openapi.yaml">openapi.yaml</a>`,
    html`<a href="${base}/dashboard">Dashboard</a>`,
  ];
}
