import { type Fragment, type Html, html } from './html.ts';

interface HtmlPage {
  lang?: string;
  dir?: 'ltr' | 'rtl';
  title: string;
  head: Fragment;
  body: Fragment;
}

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
