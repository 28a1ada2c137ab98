import type { ContractDocument, ContractOperation } from '@tillhook/openapi';
import { type Html, html } from '../kit/html.ts';
import { layout, prose } from './layout.ts';

/** The reference. Scalar takes the place of `#plain` once it has loaded; until then, and without script, this is all. */
export function referencePage(document: ContractDocument, operations: readonly ContractOperation[]): Html {
  const { title, summary, version } = document.info;
  return layout({
    title: `${title} API`,
    scripts: ['scalar.js', 'reference.js'],
    body: html`<div id="reference"></div>
<main id="plain" class="docs">
<h1>${title} API <small>${version}</small></h1>
<p>${summary} The whole contract: <a href="/openapi.yaml">openapi.yaml</a>, <a href="/openapi.json">openapi.json</a>.
Every error code is explained <a href="/docs/errors">on a page of its own</a>.</p>
<nav aria-label="Operations"><ul>
${operations.map(({ id, definition }) => html`<li><a href="#${id}">${definition.summary}</a></li>\n`)}</ul></nav>
${operations.map(section)}
<h2 id="webhooks">Webhooks</h2>
${Object.entries<ContractDocument>(document.webhooks).map(
  ([name, { post }]) =>
    html`<section><h3><code>${name}</code></h3><p>${post.summary}. ${prose(post.description)}</p></section>\n`,
)}</main>`,
  });
}

function section({ id, method, path, definition }: ContractOperation): Html {
  return html`<section id="${id}">
<h2>${definition.summary}</h2>
<p class="call"><b>${method.toUpperCase()}</b> <code>${path}</code></p>
<p>${prose(definition.description)}</p>
<p class="statuses">Answers ${Object.keys(definition.responses).join(', ')}.</p>
</section>
`;
}
