import { readFileSync } from 'node:fs';
import { wcagContrast } from 'culori';
import { type Html, html } from '../../src/kit/html.ts';
import { lookFolder } from '../../src/kit/look.ts';
import { markdownTable } from '../../src/kit/tables.ts';
import { renderMarkdown } from './markdown.ts';
import type { Page } from './page.ts';

export function stylePage(): Page {
  const tokens = readTokens();
  return {
    path: '/style',
    title: 'Style',
    summary: 'The colours, type, spacing and parts of all pages, for people who change them.',
    markdown: `# Style

The colours, type, spacing and parts of all pages, for people who change them. The checkout, the dashboard and this documentation
read one file, [tokens.css](/docs/assets/tokens.css), and name no colour themselves. This page is made from that file. The dashboard
gives the values to its components in \`theme.ts\`.`,
    tool: html`${colours(tokens)}
${contrasts(tokens)}
${sizes(tokens)}
${parts}`,
    sheets: ['style'],
  };
}

/** Each pair of text and background needs a contrast of 4.5 to 1. */
export const textsOnBackgrounds: readonly (readonly [text: string, background: string])[] = [
  ...['text', 'muted', 'accent', 'good', 'bad', 'warn', 'waiting'].flatMap((text) =>
    ['page', 'panel'].map((background) => [text, background] as const),
  ),
  ...['accent', 'good', 'bad', 'warn', 'waiting'].map((tone) => [tone, `${tone}-soft`] as const),
  ...['muted', 'text'].map((text) => [text, 'plain-soft'] as const),
  ...['keyword', 'string', 'number', 'name'].map((word) => [word, 'raised'] as const),
  ['on-accent', 'accent'],
  ['on-accent', 'accent-hover'],
  ['on-test', 'test'],
];

export function contrastsOf(tokens: readonly Token[], [text, background]: readonly [string, string]): [number, number] {
  const [front, back] = [text, background].map((wanted) => tokens.find(({ name }) => name === wanted));
  if (!front || !back) throw new Error(`tokens.css does not have both ${text} and ${background}`);
  return [wcagContrast(front.light, back.light), wcagContrast(front.dark, back.dark)];
}

/** The light mode is on the left and the dark mode on the right. */
function colours(tokens: readonly Token[]): Html {
  return html`<h2 id="colours">Colours</h2>
<p>The left half has the value of light mode, and the right half that of dark mode.</p>
<ul class="tokens">${tokens
    .filter(({ light }) => light.startsWith('#'))
    .map(
      ({
        name,
        light,
        dark,
      }) => html`<li><svg height="48" aria-hidden="true"><rect width="50%" height="100%" fill="${light}"/><rect x="50%" width="50%" height="100%" fill="${dark}"/></svg>
<b>--${name}</b> <small>${light} · ${dark}</small></li>
`,
    )}</ul>`;
}

function contrasts(tokens: readonly Token[]): Html {
  const rows = textsOnBackgrounds.map((pair) => [
    ...pair.map((name) => `\`--${name}\``),
    ...contrastsOf(tokens, pair).map((ratio) => `${(Math.floor(ratio * 10) / 10).toFixed(1)} : 1`),
  ]);
  return html`<h2 id="contrast">Contrast</h2>
<p>Text needs 4.5 : 1. A test holds each pair to it.</p>
${asHtml(markdownTable(['Text', 'Background', 'Light', 'Dark'], rows))}`;
}

function sizes(tokens: readonly Token[]): Html {
  const shown = (beginning: string, sample: (value: string) => Html) =>
    html`<ul class="samples-of-size">${tokens
      .filter(({ name }) => name.startsWith(beginning))
      .map(
        ({ name, light }) => html`<li><span><b>--${name}</b> <small>${light}</small></span> ${sample(light)}</li>
`,
      )}</ul>`;
  return html`<h2 id="type">Type</h2>
${shown('size-', (value) => html`<svg height="40" aria-hidden="true"><text y="28" font-size="${value}">₦5,000.00 paid</text></svg>`)}
<h2 id="spacing">Spacing</h2>
${shown('space-', (value) => html`<svg height="16" aria-hidden="true"><rect width="${value}" height="16"/></svg>`)}
<h2 id="radii">Radii</h2>
${shown('radius', (value) => html`<svg height="40" aria-hidden="true"><rect width="80" height="40" rx="${value}"/></svg>`)}`;
}

const tones = { good: 'completed', bad: 'failed', warn: 'under review', waiting: 'pending', plain: 'expired' };

const parts = html`<h2 id="buttons">Buttons</h2>
<p class="buttons"><button type="button" class="primary">Pay ₦5,000.00</button> <button type="button">Cancel</button></p>
<p>A page has one button in the accent colour, which does what the page is for.</p>
<h2 id="badges">Badges</h2>
<p class="buttons">${Object.entries(tones).map(([tone, word]) => html`<span class="badge" data-tone="${tone}">${word}</span> `)}</p>
<p>A state is told by its word and its colour, never by the colour alone.</p>
${asHtml(`## Callouts

> Nothing that you paste leaves this page.

## Tables

| Card | Brand | What happens |
| --- | --- | --- |
| \`4242 4242 4242 4242\` | visa | Succeeds |
| \`5555 5555 5555 4444\` | mastercard | Succeeds |

## Code

\`\`\`ts
const { data } = await tillhook.payments.get('order-1042');
console.log(data.status); // 'completed'
\`\`\`
`)}`;

function asHtml(markdown: string): Html {
  return renderMarkdown(markdown, { base: '', addressOf: () => undefined });
}

export interface Token {
  name: string;
  light: string;
  dark: string;
}

/** Reads the tokens in the order of the file. A token that refers to another token gets the value of that token. */
export function readTokens(): Token[] {
  const text = readFileSync(`${lookFolder}/tokens.css`, 'utf8');
  const [light, dark] = text.split('@media (prefers-color-scheme: dark)').map(declarationsIn);
  if (!light || !dark) throw new Error('tokens.css has no colours for dark mode');
  const all = { light, dark: new Map([...light, ...dark]) };
  return [...light.keys()].map((name) => ({
    name,
    light: valueIn(name, all.light),
    dark: valueIn(name, all.dark),
  }));
}

function declarationsIn(text: string): Map<string, string> {
  return new Map([...text.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [name, value]));
}

function valueIn(name: string, values: ReadonlyMap<string, string>): string {
  const value = values.get(name) ?? '';
  const [, other] = /^var\(--([\w-]+)\)$/.exec(value) ?? [];
  return other ? valueIn(other, values) : value;
}
