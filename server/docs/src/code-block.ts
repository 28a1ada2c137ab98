import { createRequire } from 'node:module';
import { escapeHtml, type Html, html, trusted } from '../../src/kit/html.ts';

interface Highlighter {
  registerLanguage(name: string, language: unknown): void;
  getLanguage(name: string): unknown;
  highlight(code: string, options: { language: string }): { value: string };
}

// An import of `highlight.js` would bring the types of browsers into every package that uses the server.
const require = createRequire(import.meta.url);
const highlighter: Highlighter = require('highlight.js/lib/core');
const languages = {
  sh: 'bash',
  go: 'go',
  http: 'http',
  ini: 'ini',
  java: 'java',
  json: 'json',
  php: 'php',
  python: 'python',
  ruby: 'ruby',
  sql: 'sql',
  ts: 'typescript',
};
for (const [name, file] of Object.entries(languages)) {
  highlighter.registerLanguage(name, require(`highlight.js/lib/languages/${file}`));
}

const labels: Record<string, string> = {
  sh: 'Shell',
  go: 'Go',
  http: 'HTTP',
  ini: 'Configuration',
  java: 'Java',
  json: 'JSON',
  php: 'PHP',
  promql: 'PromQL',
  python: 'Python',
  ruby: 'Ruby',
  sql: 'SQL',
  ts: 'TypeScript',
};

/** The info string of a code block is the language, then a title if the program has one: `ts Express`. */
export interface CodeText {
  code: string;
  info: string;
}

/** The title is undefined when the info string is only a language. */
export function titleOf({ info }: CodeText): string | undefined {
  return /^\S+\s+(.+)$/.exec(info)?.[1]?.trim();
}

/** The colours are in the HTML, so the page needs no script. Wide code can be scrolled by keyboard. */
export function codeBlock(text: CodeText): Html {
  const { code, info } = text;
  const [language = ''] = info.split(' ');
  const label = titleOf(text) ?? labels[language] ?? 'Text';
  const markup = highlighter.getLanguage(language) ? highlighter.highlight(code, { language }).value : escapeHtml(code);
  return html`<figure class="code"><figcaption><span>${label}</span></figcaption>
<pre tabindex="0"><code>${trusted(markup)}</code></pre></figure>
`;
}

/** The script `tabs.js` shows one program of the group at a time. Without script, all programs are shown. */
export function codeTabs(texts: readonly CodeText[], idOf: (title: string) => string): Html {
  const panels = texts.map((text) => {
    const title = titleOf(text) ?? '';
    return html`<div id="${idOf(title)}" data-title="${title}">${codeBlock(text)}</div>
`;
  });
  return html`<div class="tabs">
${panels}</div>
`;
}
