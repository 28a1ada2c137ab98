import { bar, places, styles } from '../../src/kit/bar.ts';
import { type Fragment, type Html, html } from '../../src/kit/html.ts';
import { htmlPage } from '../../src/kit/html-page.ts';
import type { Heading } from './markdown.ts';
import type { Page, PageGroup } from './page.ts';

export interface Frame {
  name: string;
  /** The path that a proxy adds before all paths of this server; empty without a proxy. */
  base: string;
  groups: readonly PageGroup[];
}

interface Content {
  title: string;
  summary: string;
  body: Fragment;
  page?: Page;
  headings?: readonly Heading[];
  /** The path of the page as Markdown, below `/docs`. */
  markdownAt?: string;
  scripts?: readonly string[];
  query?: string;
}

/** The page is complete without scripts. */
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
<main id="content" class="${page?.samples ? 'docs with-samples' : 'docs'}">${headings.length > 1 && toHeadings}${content.body}
${page && neighbours(groups, page, base)}
${markdownAt && asText(`${base}/docs`, markdownAt)}</main>
${headings.length > 1 && onThisPage(headings, page?.samples !== undefined)}</div>`,
  });
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

/** For a reader who gives the page, or all pages, to a language model. */
function asText(docs: string, markdownAt: string): Html {
  return html`<p class="as-text"><a href="${docs}${markdownAt}">This page as Markdown</a> <a href="${docs}/llms.txt">llms.txt</a> <a href="${docs}/llms-full.txt">llms-full.txt</a></p>`;
}

/** Narrow screens show the headings only when the reader opens them. The script adds the section that the reader sees. */
const toHeadings = html`<button class="here" type="button" popovertarget="on-this-page">On this page<span></span><svg viewBox="0 0 10 6" aria-hidden="true"><path d="M1 1l4 4 4-4"/></svg></button>
`;

function onThisPage(headings: readonly Heading[], hasSamples: boolean): Html {
  const links = headings.map(
    ({ id, text, depth }) => html`<li${depth > 2 && html` class="below"`}><a href="#${id}">${text}</a></li>
`,
  );
  return html`<nav id="on-this-page" class="on-this-page${hasSamples && ' beside-samples'}" aria-labelledby="on-this-page-title" popover><h2 id="on-this-page-title">On this page</h2>
<ul>${links}</ul></nav>`;
}
