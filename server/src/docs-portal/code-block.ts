import { createRequire } from 'node:module';
import { escapeHtml, type Html, html, trusted } from '../kit/html.ts';

interface Highlighter {
  registerLanguage(name: string, language: unknown): void;
  getLanguage(name: string): unknown;
  highlight(code: string, options: { language: string }): { value: string };
}

// `require` and not `import`, because its types would bring the types of browsers into every package that uses the
// server.
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

/**
 * A block of code. The server adds the colours, so the page needs no script. A reader can scroll wide code by
 * keyboard.
 */
export function codeBlock(code: string, language: string): Html {
  const label = labels[language] ?? 'Text';
  const markup = highlighter.getLanguage(language) ? highlighter.highlight(code, { language }).value : escapeHtml(code);
  return html`<figure class="code"><figcaption>${label}</figcaption>
<pre tabindex="0"><code>${trusted(markup)}</code></pre></figure>
`;
}
