import { type Html, html } from '../kit/html.ts';
import { htmlPage } from '../kit/html-page.ts';

interface Page {
  title: string;
  /** The path below which everything of this server lies; empty unless a proxy adds one. */
  base: string;
  scripts?: readonly string[];
  body: Html;
}

/** Every page of the documentation, complete without script. */
export function layout({ title, base, scripts = [], body }: Page): Html {
  return htmlPage({
    title,
    head: html`<link rel="icon" href="data:,">
<link rel="stylesheet" href="${base}/docs/assets/docs.css">
${scripts.map((name) => html`<script defer src="${base}/docs/assets/${name}"></script>`)}`,
    body: html`<nav class="bar" aria-label="Documentation">
<a href="${base}/docs">Reference</a>
<a href="${base}/docs/errors">Errors</a>
<a href="${base}/docs/benchmarks">Benchmarks</a>
<a href="${base}/openapi.yaml">openapi.yaml</a>
</nav>
${body}`,
  });
}

/** A sentence or several from the contract: its code spans are marked, nothing else of it is markup. */
export function prose(text: string): Html {
  const parts = text.trim().split('`');
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))}`;
}
