import { bar, styles } from '../../kit/bar.ts';
import { type Fragment, type Html, html } from '../../kit/html.ts';
import { htmlPage } from '../../kit/html-page.ts';

export interface Place {
  name: string;
  /** The path prefix that a proxy adds to all paths of this server. */
  base: string;
}

/** The styles have a path that also a service without a mailbox answers. */
export const assetsPath = '/mails/unsubscribe/assets';

export function layout({ name, base }: Place, title: string, content: Fragment): Html {
  return htmlPage({
    title: `${title} · ${name}`,
    head: html`${styles(base)}
<link rel="stylesheet" href="${base}${assetsPath}/mails.css">`,
    body: html`${bar({ name, base, isHome: true })}
<main id="content" class="docs mails">${content}</main>`,
  });
}
