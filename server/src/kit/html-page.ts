import { type Fragment, type Html, html } from './html.ts';

interface HtmlPage {
  /** The language tag of the page; English by default. */
  lang?: string;
  /** The writing direction of the page; left to right by default. */
  dir?: 'ltr' | 'rtl';
  title: string;
  /** The other elements of the head: robots, icon, style, script. */
  head: Fragment;
  body: Fragment;
}

/** Returns the HTML document around a page. All pages for people use it. */
export function htmlPage({ lang = 'en', dir = 'ltr', title, head, body }: HtmlPage): Html {
  return html`<!doctype html>
<html lang="${lang}" dir="${dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
${head}
</head>
<body>
${body}
</body>
</html>
`;
}
