import { type Fragment, type Html, html } from './html.ts';

interface HtmlPage {
  title: string;
  /** The rest of the head: robots, icon, style, script. */
  head: Fragment;
  body: Fragment;
}

/** The frame that all pages for people share. */
export function htmlPage({ title, head, body }: HtmlPage): Html {
  return html`<!doctype html>
<html lang="en">
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
