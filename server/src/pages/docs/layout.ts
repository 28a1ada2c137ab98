import { type Fragment, type Html, html } from '../../kit/html.ts';
import { htmlPage } from '../../kit/html-page.ts';
import type { Heading } from './markdown.ts';
import type { Page, PageGroup } from './page.ts';

/** How many characters of a search are read. */
export const mostCharacters = 100;

/** What all pages of the documentation show around their content. */
export interface Frame {
  name: string;
  /** The path that a proxy adds before all paths of this server. Empty when there is none. */
  base: string;
  groups: readonly PageGroup[];
}

interface Content {
  title: string;
  summary: string;
  body: Fragment;
  /** The page that is shown. The list of contents marks it. */
  page?: Page;
  headings?: readonly Heading[];
  /** The path of the same text as Markdown, below `/docs`. */
  markdownAt?: string;
  scripts?: readonly string[];
  /** The text of the search field. */
  query?: string;
}

/** A page of the documentation. It is complete without scripts. */
export function layout({ name, base, groups }: Frame, content: Content): Html {
  const { title, summary, page, markdownAt, headings = [], scripts = [], query = '' } = content;
  return htmlPage({
    title: `${title} · ${name} docs`,
    head: html`<meta name="description" content="${summary}">
${styles(base, page?.sheets)}
${markdownAt && html`<link rel="alternate" type="text/markdown" href="${base}/docs${markdownAt}">`}
${['docs.js', 'search.js', ...scripts].map((file) => html`<script type="module" src="${base}/docs/assets/${file}"></script>`)}`,
    body: html`${bar({ name, base, query, hasMenu: true })}
<div class="frame">
<nav id="contents" class="contents" aria-label="Contents" popover>${groups.map((group) => section(group, page, base))}
<div class="elsewhere"><h2>Elsewhere</h2>
<ul>${places(base).map((place) => html`<li>${place}</li>`)}</ul></div></nav>
<main id="content" class="${page?.samples ? 'docs with-samples' : 'docs'}">${content.body}
${page && neighbours(groups, page, base)}</main>
${headings.length > 1 && onThisPage(headings)}</div>`,
  });
}

const sheets = ['tokens', 'bar', 'docs', 'frame', 'code', 'search'];

/** The icon and the style sheets. */
export function styles(base: string, ofThisPage: readonly string[] = []): Html {
  return html`<link rel="icon" type="image/svg+xml" href="${base}/docs/assets/mark.svg">
${[...sheets, ...ofThisPage].map((name) => html`<link rel="stylesheet" href="${base}/docs/assets/${name}.css">\n`)}`;
}

interface Bar {
  name: string;
  base: string;
  query?: string;
  /** Whether the page has a list of contents. On a narrow screen, the button in the bar opens it. */
  hasMenu?: boolean;
  /** Whether the bar is that of the home page, and not of the documentation. */
  isHome?: boolean;
}

export function bar({ name, base, query = '', hasMenu, isHome }: Bar): Html {
  return html`<a class="skip" href="#content">Skip to the content</a>
<header class="bar">
${hasMenu && html`<button class="menu" type="button" popovertarget="contents">Menu</button>`}
<a class="brand" href="${base}${isHome ? '/' : '/docs'}"><img src="${base}/docs/assets/mark.svg" alt=""><span>${name}</span>${!isHome && html` <small>docs</small>`}</a>
<form class="search" role="search" action="${base}/docs/search">
<input name="q" value="${query}" aria-label="Search the documentation" placeholder="Search" autocomplete="off" enterkeyhint="search" maxlength="${mostCharacters}">
</form>
<nav class="places" aria-label="Places">${places(base)}</nav>
</header>`;
}

function places(base: string): Html[] {
  return [
    html`<a href="${base}/docs/reference">API reference</a>`,
    html`<a href="${base}/openapi.yaml">openapi.yaml</a>`,
    html`<a href="${base}/dashboard">Dashboard</a>`,
  ];
}

function section({ title, pages, isFolded }: PageGroup, present: Page | undefined, base: string): Html {
  const links = html`<ul>${pages.map(
    (
      page,
    ) => html`<li><a href="${base}/docs${page.path}"${page === present && html` aria-current="page"`}>${page.title}</a></li>
`,
  )}</ul>`;
  if (!isFolded) return html`<h2>${title}</h2>${links}`;
  const isOpen = present !== undefined && pages.includes(present);
  return html`<details${isOpen && html` open`}><summary>${title}</summary>${links}</details>
`;
}

function neighbours(groups: readonly PageGroup[], page: Page, base: string): Html {
  const pages = groups.flatMap((group) => group.pages);
  const at = pages.indexOf(page);
  const [before, after] = [pages[at - 1], pages[at + 1]];
  return html`<nav class="neighbours" aria-label="Neighbouring pages">
${before && html`<a href="${base}/docs${before.path}" rel="prev"><small>Before</small> ${before.title}</a>`}
${after && html`<a href="${base}/docs${after.path}" rel="next"><small>Next</small> ${after.title}</a>`}</nav>`;
}

function onThisPage(headings: readonly Heading[]): Html {
  const shown = headings.filter(({ depth }) => depth === 2);
  return html`<nav class="on-this-page" aria-labelledby="on-this-page"><h2 id="on-this-page">On this page</h2>
<ul>${shown.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>\n`)}</ul></nav>`;
}
