import { type Html, html } from './html.ts';

export const maxSearchCharacters = 100;

const sheets = ['tokens', 'bar', 'docs', 'frame', 'code', 'search'];

export function styles(base: string, ofThisPage: readonly string[] = []): Html {
  // The script stands first, because a script waits for the style sheets above it.
  return html`<script src="${base}/docs/assets/theme.js"></script>
<link rel="icon" type="image/svg+xml" href="${base}/docs/assets/mark.svg">
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
<button class="to-theme" type="button" popovertarget="theme" aria-label="Theme" title="Theme"><svg viewBox="0 0 20 20" aria-hidden="true"><circle cx="10" cy="10" r="7"/><path d="M10 3a7 7 0 0 1 0 14z"/></svg></button>
<fieldset id="theme" popover><legend>Theme</legend>
${Object.entries(themes).map(([value, label]) => html`<label><input type="radio" name="theme" value="${value}"> ${label}</label>\n`)}</fieldset>
</header>`;
}

/** The values are those that the dashboard stores in the browser, and the words are those of its choice. */
const themes = { auto: 'As this device', light: 'Light', dark: 'Dark' };

export function places(base: string): Html[] {
  return [
    html`<a href="${base}/docs/reference">API reference</a>`,
    html`<a href="${base}/openapi.yaml">openapi.yaml</a>`,
    html`<a href="${base}/dashboard">Dashboard</a>`,
  ];
}
