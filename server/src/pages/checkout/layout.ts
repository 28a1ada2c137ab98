import { type Fragment, type Html, html } from '../../kit/html.ts';
import { htmlPage } from '../../kit/html-page.ts';
import { merchantFoot } from './merchant-foot.ts';
import type { Visit } from './visit.ts';
import type { Words } from './words/words.ts';

interface Page {
  words: Words;
  title: string;
  base: string;
  style: 'form' | 'outcome';
  colour?: string | null;
  isTest?: boolean;
  script?: 'card-form';
  testHint?: Fragment;
  head?: Fragment;
  main: Fragment;
  /** The merchant's footer, shown above the footer of the service. */
  foot?: Fragment;
}

export function layout(page: Page): Html {
  const { words, title, base, style, colour, isTest, script, testHint, head, main, foot } = page;
  const testMode = isTest && words.html('frame.testMode', { b: (content) => html`<strong>${content}</strong>` });
  return htmlPage({
    lang: words.locale,
    dir: words.direction,
    title,
    head: html`<meta name="robots" content="noindex">
<link rel="icon" type="image/svg+xml" href="${base}/assets/mark.svg">
${['tokens', 'base', 'button', style, ...(words.direction === 'rtl' ? ['right-to-left'] : [])].map(
  (name) => html`<link rel="stylesheet" href="${base}/assets/${name}.css">
`,
)}${
  colour &&
  html`<link rel="stylesheet" href="${base}/assets/accent-${colour.slice(1)}.css">
`
}${
  script &&
  html`<script type="module" src="${base}/assets/${script}.js"></script>
`
}<script type="module" src="${base}/assets/checkout.js"></script>
${head}`,
    body: html`${testMode && html`<header class="test-banner">${testMode} ${testHint}</header>`}
${main}
${foot}
<footer class="foot">${icons.lock} ${words.html('frame.foot', {
      service: html`<img src="${base}/assets/mark.svg" alt="" width="16" height="16"> Tillhook`,
    })}</footer>`,
  });
}

export function visitLayout(visit: Visit, page: Omit<Page, 'words' | 'base' | 'colour' | 'isTest' | 'foot'>): Html {
  const { words, base, colour, payment } = visit;
  return layout({ ...page, words, base, colour, isTest: payment.mode === 'test', foot: merchantFoot(visit) });
}

export function merchantHeader({ merchantName, logo }: Pick<Visit, 'merchantName' | 'logo'>): Html {
  const [initial = ''] = [...merchantName.trim()];
  // The merchant's name is beside the logo, so the logo has an empty alternative text.
  const mark = logo
    ? html`<img class="logo" src="${logo}" alt="">`
    : html`<span class="monogram" aria-hidden="true">${initial.toUpperCase()}</span>`;
  return html`<div class="merchant">
${mark}
<bdi class="merchant-name">${merchantName}</bdi>
</div>`;
}

const icon = (paths: Html, pointing?: Html) =>
  html`<svg class="icon${pointing}" viewBox="0 0 24 24" aria-hidden="true" focusable="false">${paths}</svg>`;

/** An arrow in the direction of the text, so it is mirrored in languages that are written from right to left. */
const pointingIcon = (paths: Html) => icon(paths, html` pointing`);

export const icons = {
  check: icon(html`<path d="M5 12.5l4.5 4.5L19 7.5"/>`),
  cross: icon(html`<path d="M7 7l10 10M17 7L7 17"/>`),
  clock: icon(html`<circle cx="12" cy="12" r="8.5"/><path d="M12 7.5V12l3 2"/>`),
  lock: icon(html`<rect x="5.5" y="10.5" width="13" height="9" rx="2"/><path d="M8.5 10.5V8a3.5 3.5 0 0 1 7 0v2.5"/>`),
  shield: icon(
    html`<path d="M12 3.5l7 2.6v5.2c0 4.4-2.9 7.6-7 9.2-4.1-1.6-7-4.8-7-9.2V6.1z"/><path d="M9 12l2.2 2.2L15.2 10"/>`,
  ),
  bank: icon(html`<path d="M4 9.5L12 5l8 4.5M5.5 10v8M10 10v8M14 10v8M18.5 10v8M4 19h16"/>`),
  back: pointingIcon(html`<path d="M9 6l-5 5 5 5"/><path d="M4 11h10a6 6 0 0 1 6 6v1"/>`),
  spinner: html`<span class="spinner" aria-hidden="true"></span>`,
  question: icon(html`<path d="M9 9a3 3 0 1 1 4.2 2.8c-.8.4-1.2 1-1.2 1.9v.6M12 17.6v.1"/>`),
};
