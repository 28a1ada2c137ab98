import type { DashboardUser } from '../auth/dashboard-user.entity.ts';
import { type Fragment, type Html, html } from '../kit/html.ts';
import { moment } from '../kit/locale.ts';
import type { Mode } from '../kit/mode.ts';
import { formatAmount } from '../kit/money.ts';
import type { Paged } from '../kit/pagination.ts';
import type { Payment } from '../payments/payment.entity.ts';
import type { WebhookEndpoint } from '../webhooks/endpoint.entity.ts';
import { header } from './header.ts';
import { layout } from './layout.ts';

interface Overview {
  base: string;
  locale: string;
  mode: Mode;
  /** Who is signed in, with their merchant. */
  user: DashboardUser;
  payments: Paged<Payment>;
  endpoints: WebhookEndpoint[];
}

/** The newest payments and every webhook endpoint of one mode, as they are now. */
export function overviewPage(overview: Overview): Html {
  const { base, mode, user, payments, endpoints } = overview;
  const { name: merchantName } = user.merchant;
  return layout({
    title: `${merchantName}, ${mode} mode`,
    base,
    header: header(overview),
    main: html`<main class="overview">
<h1>${merchantName}</h1>
<section class="panel" aria-labelledby="payments">
<h2 id="payments">Payments <small>${payments.total}</small></h2>
${payments.total === 0 ? html`<p class="empty">No ${mode} payments yet. Create a checkout to see the first one here.</p>` : paymentTable(overview)}
</section>
<section class="panel" aria-labelledby="endpoints">
<h2 id="endpoints">Webhook endpoints <small>${endpoints.length}</small></h2>
${endpoints.length === 0 ? html`<p class="empty">No ${mode} endpoints yet. Register one to hear of payments.</p>` : endpointTable(overview)}
</section>
</main>`,
  });
}

function paymentTable({ payments, locale }: Overview): Html {
  const rows = payments.records.map(
    (payment) => html`<tr>
<td><code>${payment.reference}</code></td>
<td>${payment.customerEmail}</td>
<td>${formatAmount(Number(payment.amount), payment.currency, locale)}</td>
<td><span class="status ${payment.status}">${payment.status}</span></td>
<td>${moment(payment.createdAt, locale)}</td>
</tr>`,
  );
  return table('Newest payments', ['Reference', 'Customer', 'Amount', 'Status', 'Created'], rows);
}

function endpointTable({ base, mode, endpoints, locale }: Overview): Html {
  const rows = endpoints.map(
    (endpoint) => html`<tr>
<td><a href="${base}/dashboard/endpoints/${endpoint.id}?mode=${mode}">${endpoint.url}</a></td>
<td>${endpoint.events === '*' ? 'all' : endpoint.events.replaceAll(',', ', ')}</td>
<td>${endpoint.successCount.toString()}</td>
<td>${endpoint.failureCount.toString()}</td>
<td>${endpoint.lastDeliveredAt ? moment(endpoint.lastDeliveredAt, locale) : 'never'}</td>
</tr>`,
  );
  return table('Webhook endpoints', ['Address', 'Events', 'Delivered', 'Failed', 'Last delivery'], rows);
}

/** Wider than a phone, so it scrolls by itself, and by keyboard. */
function table(label: string, columns: readonly string[], rows: Fragment): Html {
  return html`<div class="scroll" role="region" tabindex="0" aria-label="${label}"><table>
<thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>${rows}</tbody>
</table></div>`;
}
