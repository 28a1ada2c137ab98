import type { MockAnswer } from '../requests/api-error.ts';
import { pageHeaders, style } from './look.ts';

interface Page {
  title: string;
  main: Fragment;
  isWide?: boolean;
  status?: number;
  headers?: Record<string, string>;
}

export const mark =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0b6450"/><path d="M13 6v14a5 5 0 0 0 10 0v-1.5M8 12.5h11" fill="none" stroke="#ffffff" stroke-width="3.5" stroke-linecap="round" stroke-linejoin="round"/></svg>';

/** The page resembles a page of the service, so its header says that it belongs to the mock. */
export function pageAnswer({ title, main, isWide = false, status = 200, headers = {} }: Page): MockAnswer {
  const body = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:image/svg+xml;base64,${Buffer.from(mark).toString('base64')}">
<style>${new Html(style)}</style>
</head>
<body>
<header><strong>Mock</strong> No card is asked for, and no money moves.</header>
<main${isWide && new Html(' class="wide"')}>
${main}
</main>
</body>
</html>
`;
  return { status, headers: { ...pageHeaders, ...headers }, body: String(body) };
}

export function messagePage(status: number, [heading, advice]: readonly [string, string], headers = {}): MockAnswer {
  return pageAnswer({
    title: heading,
    status,
    headers,
    main: html`<h1>${heading}</h1>
<p>${advice}</p>`,
  });
}

/** Copied from `server/src/kit/html.ts`, because the mock shares no code with the service. */
export type Fragment = Html | string | number | null | false | readonly Fragment[];

/** Text that is already HTML, so it is not escaped. */
export class Html {
  readonly #markup: string;

  constructor(markup: string) {
    this.#markup = markup;
  }

  toString(): string {
    return this.#markup;
  }
}

export function html(strings: TemplateStringsArray, ...values: readonly Fragment[]): Html {
  return new Html(strings.reduce((markup, string, index) => markup + print(values[index - 1] ?? null) + string));
}

function print(value: Fragment): string {
  if (value === null || value === false) return '';
  if (value instanceof Html) return value.toString();
  if (typeof value === 'object') return value.map(print).join('');
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
