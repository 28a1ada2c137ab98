import { type ContractDocument, type ContractOperation, operationsOf } from '@tillhook/openapi';
import { type Html, html } from '../kit/html.ts';
import { layout, prose } from './layout.ts';

/** The reference. Scalar takes the place of `#plain` once it has loaded; until then, and without script, this is all. */
export function referencePage(document: ContractDocument, base: string): Html {
  const { title, summary, version } = document.info;
  const operations = operationsOf(document);
  return layout({
    title: `${title} API`,
    base,
    scripts: ['scalar.js', 'reference.js'],
    body: html`<div id="reference" data-base="${base}"></div>
<main id="plain" class="docs">
<h1>${title} API <small>${version}</small></h1>
<p>${summary} The whole contract: <a href="${base}/openapi.yaml">openapi.yaml</a>, <a href="${base}/openapi.json">openapi.json</a>.
Every error code is explained <a href="${base}/docs/errors">on a page of its own</a>.</p>
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
