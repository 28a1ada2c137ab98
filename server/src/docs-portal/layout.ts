import { type Html, html } from '../kit/html.ts';

interface Page {
  title: string;
  /** The path below which everything of this server lies; empty unless a proxy adds one. */
  base: string;
  scripts?: readonly string[];
  body: Html;
}

/** Every page of the documentation, complete without script. */
export function layout({ title, base, scripts = [], body }: Page): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${base}/docs/assets/docs.css">
${scripts.map((name) => html`<script defer src="${base}/docs/assets/${name}"></script>\n`)}</head>
<body>
<nav class="bar" aria-label="Documentation">
<a href="${base}/docs">Reference</a>
<a href="${base}/docs/errors">Errors</a>
<a href="${base}/openapi.yaml">openapi.yaml</a>
</nav>
${body}
</body>
</html>
`;
}

/** A sentence or several from the contract: its code spans are marked, nothing else of it is markup. */
export function prose(text: string): Html {
  const parts = text.trim().split('`');
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))}`;
}
