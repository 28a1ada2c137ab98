import { createRequire } from 'node:module';
import { escapeHtml, type Html, html, trusted } from '../kit/html.ts';

interface Highlighter {
  registerLanguage(name: string, language: unknown): void;
  getLanguage(name: string): unknown;
  highlight(code: string, options: { language: string }): { value: string };
}

// Not imported: its types would bring those of a browser into every package that knows the server.
const require = createRequire(import.meta.url);
const highlighter: Highlighter = require('highlight.js/lib/core');
const languages = { sh: 'bash', go: 'go', http: 'http', json: 'json', python: 'python', ts: 'typescript' };
for (const [name, file] of Object.entries(languages)) {
  highlighter.registerLanguage(name, require(`highlight.js/lib/languages/${file}`));
}

const labels: Record<string, string> = {
  sh: 'Shell',
  go: 'Go',
  http: 'HTTP',
  json: 'JSON',
  python: 'Python',
  ts: 'TypeScript',
};

/** Code in colours, made here, so that no script is needed to read it. Wide code scrolls, and a keyboard can scroll it. */
export function codeBlock(code: string, language: string): Html {
  const label = labels[language] ?? 'Text';
  const markup = highlighter.getLanguage(language) ? highlighter.highlight(code, { language }).value : escapeHtml(code);
  return html`<figure class="code"><figcaption>${label}</figcaption>
<pre tabindex="0"><code>${trusted(markup)}</code></pre></figure>
`;
}
