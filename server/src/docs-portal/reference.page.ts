import type { Model } from '@tillhook/openapi';
import { type Html, html } from '../kit/html.ts';
import { htmlPage } from '../kit/html-page.ts';
import { bar, type Frame, styles } from './layout.ts';

/**
 * The reference in which a reader can try operations. When the library Scalar has loaded, it replaces `#content`.
 * Until then, and without scripts, the page links to the page of each operation.
 */
export function referencePage({ name, base, groups }: Frame, { servers }: Model): Html {
  return htmlPage({
    title: `API reference · ${name} docs`,
    head: html`${styles(base)}
${['docs.js', 'scalar.js', 'reference.js'].map(
  (file) => html`<script defer src="${base}/docs/assets/${file}"></script>`,
)}`,
    body: html`${bar({ name, base })}
<div id="reference" data-base="${base}" data-servers="${JSON.stringify(servers)}"></div>
<main id="content" class="docs">
<h1>API reference</h1>
<p>Each operation has its own page. If your browser runs JavaScript, you can try them here, on this server and on the servers of the contract.</p>
${groups
  .filter(({ isFolded }) => isFolded)
  .map(
    ({ title, pages }) => html`<h2>${title}</h2>
<ul>${pages.map(
      (
        page,
      ) => html`<li id="${page.path.split('/').at(-1)}"><a href="${base}/docs${page.path}">${page.title}</a> <small>${page.summary}</small></li>
`,
    )}</ul>`,
  )}</main>`,
  });
}
