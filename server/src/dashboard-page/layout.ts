import { type Fragment, type Html, html } from '../kit/html.ts';
import { htmlPage } from '../kit/html-page.ts';

interface Page {
  title: string;
  /** The path below which everything of this server lies; empty unless a proxy adds one. */
  base: string;
  header?: Fragment;
  main: Fragment;
}

/** What every page of the dashboard has around it. Colours, buttons and fields are the hosted checkout's. */
export function layout({ title, base, header, main }: Page): Html {
  return htmlPage({
    title: `${title} · Tillhook`,
    head: html`<meta name="robots" content="noindex">
<link rel="icon" type="image/svg+xml" href="${base}/checkout/assets/icon.svg">
${['tokens', 'base', 'button', 'form'].map(
  (name) => html`<link rel="stylesheet" href="${base}/checkout/assets/${name}.css">
`,
)}<link rel="stylesheet" href="${base}/dashboard/assets/dashboard.css">`,
    body: html`${header}
${main}`,
  });
}
