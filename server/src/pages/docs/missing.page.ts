import { type Html, html } from '../../kit/html.ts';
import { htmlPage } from '../../kit/html-page.ts';
import { bar, type Frame, styles } from './layout.ts';

const title = 'There is no such page';

/** What the documentation says below its list of contents when an address does not exist. */
export function missingText(base: string): Html {
  return html`<h1>${title}</h1>
<p>The address is wrong, or the page is gone.</p>
<p>Search the documentation above, begin with its <a href="${base}/docs">overview</a>, or open the <a href="${base}/dashboard">dashboard</a>.</p>`;
}

/** Shown to a person for an address that does not exist, outside the documentation, the dashboard and the checkout. */
export function missingPage({ name, base }: Pick<Frame, 'name' | 'base'>): Html {
  return htmlPage({
    title: `${title} · ${name}`,
    head: html`<meta name="robots" content="noindex">
${styles(base)}
<script type="module" src="${base}/docs/assets/docs.js"></script>`,
    body: html`${bar({ name, base })}
<main id="content" class="docs alone">${missingText(base)}</main>`,
  });
}
