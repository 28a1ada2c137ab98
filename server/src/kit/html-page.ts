import { type Fragment, type Html, html } from './html.ts';

interface HtmlPage {
  title: string;
  /** What else belongs in the head: robots, icon, style, script. */
  head: Fragment;
  body: Fragment;
}

/** What every page for people has around it, whichever room it comes from. */
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
