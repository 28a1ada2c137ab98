import { type Html, html } from './html.ts';

export const maxSearchCharacters = 100;

const sheets = ['tokens', 'bar', 'docs', 'frame', 'code', 'search'];

export function styles(base: string, ofThisPage: readonly string[] = []): Html {
  return html`<link rel="icon" type="image/svg+xml" href="${base}/docs/assets/mark.svg">
${[...sheets, ...ofThisPage].map((name) => html`<link rel="stylesheet" href="${base}/docs/assets/${name}.css">\n`)}`;
}

interface Bar {
  name: string;
  base: string;
  query?: string;
  hasMenu?: boolean;
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
