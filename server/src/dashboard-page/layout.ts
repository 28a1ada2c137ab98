import { type Fragment, type Html, html } from '../kit/html.ts';

interface Page {
  title: string;
  /** The path below which everything of this server lies; empty unless a proxy adds one. */
  base: string;
  header?: Fragment;
  main: Fragment;
}

/** What every page of the dashboard has around it. Colours, buttons and fields are the hosted checkout's. */
export function layout({ title, base, header, main }: Page): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} · Tillhook</title>
<link rel="icon" type="image/svg+xml" href="${base}/checkout/assets/icon.svg">
<link rel="stylesheet" href="${base}/checkout/assets/base.css">
<link rel="stylesheet" href="${base}/checkout/assets/form.css">
<link rel="stylesheet" href="${base}/dashboard/assets/dashboard.css">
</head>
<body>
${header}
${main}
</body>
</html>
`;
}
