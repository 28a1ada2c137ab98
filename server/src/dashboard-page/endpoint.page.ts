import type { DashboardUser } from '../auth/dashboard-user.entity.ts';
import { type Fragment, type Html, html } from '../kit/html.ts';
import { moment } from '../kit/locale.ts';
import type { Mode } from '../kit/mode.ts';
import type { WebhookEndpoint } from '../webhooks/endpoint.entity.ts';
import type { ShownSecrets } from '../webhooks/webhooks.service.ts';
import { header } from './header.ts';
import { layout } from './layout.ts';

interface EndpointPage {
  base: string;
  locale: string;
  mode: Mode;
  /** Who is signed in. */
  user: DashboardUser;
  endpoint: WebhookEndpoint;
  /** Given once the password was. */
  secrets?: ShownSecrets;
  /** Whether a password was typed that is not theirs. */
  isRefused?: boolean;
}

/** What is known of one endpoint, and its signing secret for whoever gives the password once more. */
export function endpointPage(page: EndpointPage): Html {
  const { base, mode, endpoint, secrets, isRefused } = page;
  return layout({
    title: `${isRefused ? 'Error: ' : ''}Webhook endpoint ${endpoint.url}`,
    base,
    header: header(page),
    main: html`<main class="overview">
<p><a href="${base}/dashboard?mode=${mode}">All endpoints</a></p>
<h1>Webhook endpoint</h1>
<section class="panel" aria-labelledby="endpoint">
<h2 id="endpoint">${endpoint.url}</h2>
${facts(endpointFacts(page))}
</section>
<section class="panel" aria-labelledby="secret">
<h2 id="secret">Signing secret</h2>
${secrets ? facts(secretFacts(secrets, page.locale)) : passwordForm(page)}
</section>
</main>`,
  });
}

function endpointFacts({ endpoint, mode, locale }: EndpointPage): Fact[] {
  const { events, isActive, disabledReason, disabledAt, successCount, failureCount, lastDeliveredAt } = endpoint;
  return [
    ['Mode', mode],
    ['Events', events === '*' ? 'all' : events.replaceAll(',', ', ')],
    ['State', isActive ? 'active' : 'inactive'],
    ...(disabledReason ? [['Disabled because', disabledReason] satisfies Fact] : []),
    ...(disabledAt ? [['Disabled', moment(disabledAt, locale)] satisfies Fact] : []),
    ['Delivered', successCount.toString()],
    ['Failed', failureCount.toString()],
    ['Last delivery', lastDeliveredAt ? moment(lastDeliveredAt, locale) : 'never'],
  ];
}

function secretFacts({ own, next }: ShownSecrets, locale: string): Fact[] {
  const shown: Fact[] = [['Secret', html`<code class="secret">${own}</code>`]];
  if (!next) return shown;
  return [
    ...shown,
    ['Next secret', html`<code class="secret">${next.secret}</code>`],
    ['Takes over', moment(next.at, locale)],
  ];
}

function passwordForm({ base, mode, user, endpoint, isRefused = false }: EndpointPage): Html {
  return html`${isRefused && html`<div class="alert" role="alert" id="refusal"><p>That is not your password. Try again.</p></div>`}
<form class="reveal" method="post" action="${base}/dashboard/endpoints/${endpoint.id}?mode=${mode}">
<p id="why">It ends in <code>${endpoint.secretLast4}</code>. To see all of it, give the password of ${user.email} once more.</p>
<div class="field"><label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required
aria-describedby="${isRefused ? 'refusal' : 'why'}"${isRefused && ' autofocus'}></div>
<button class="button primary">Show the secret</button>
</form>`;
}

type Fact = [name: string, value: Fragment];

function facts(all: readonly Fact[]): Html {
  return html`<dl class="facts">${all.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}
