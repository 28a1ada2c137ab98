import type { DashboardUser } from '../auth/dashboard-user.entity.ts';
import { type Html, html } from '../kit/html.ts';
import type { Mode } from '../kit/mode.ts';

interface Header {
  base: string;
  mode: Mode;
  /** Who is signed in. */
  user: DashboardUser;
}

/** What whoever is signed in finds above every page. */
export function header({ base, mode, user }: Header): Html {
  const link = (to: Mode, label: string) =>
    html`<a href="${base}/dashboard?mode=${to}"${to === mode && html` aria-current="true"`}>${label}</a>`;
  return html`<header class="top">
<strong>Tillhook</strong>
<nav class="modes" aria-label="Mode">${link('test', 'Test')}${link('live', 'Live')}</nav>
<a href="${base}/docs">Docs</a>
<form method="post" action="${base}/dashboard/sign-out"><span class="who">${user.email}</span>
<button>Sign out</button></form>
</header>`;
}
