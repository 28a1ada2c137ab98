import { returnAddress } from '@tillhook/openapi/rules/return-address';
import { type Fragment, type Html, html } from '../../kit/html.ts';
import { merchantHeader, visitLayout } from './layout.ts';
import { methodDetail } from './method-words.ts';
import { detail } from './summary.ts';
import { amountHtml, merchantHtml, pathOf, type Visit } from './visit.ts';

interface Outcome {
  tone: 'good' | 'bad' | 'waiting';
  icon: Html;
  heading: string;
  lead: Fragment;
  body?: Fragment;
  actions?: Fragment;
  head?: Fragment;
}

export function outcomePage(visit: Visit, { tone, icon, heading, lead, body, actions, head }: Outcome): Html {
  return visitLayout(visit, {
    title: visit.words.text('page.title', { heading, merchant: visit.merchantName }),
    style: 'outcome',
    head,
    main: html`<main class="panel outcome ${tone}">
${merchantHeader(visit)}
<div class="badge">${icon}</div>
<h1>${heading}</h1>
<p class="lead">${lead}</p>
${body}
<div class="actions">${actions}</div>
</main>`,
  });
}

export function paymentDetails(visit: Visit, more?: Fragment): Html {
  const { words } = visit;
  const { description, reference } = visit.payment;
  return html`<dl class="details receipt">
${detail(words.text('detail.amount'), html`<strong>${amountHtml(visit)}</strong>`)}
${detail(words.text('detail.for'), description && html`<bdi>${description}</bdi>`)}
${methodDetail(visit)}
${detail(words.text('detail.reference'), html`<bdi dir="ltr">${reference}</bdi>`)}
${more}
</dl>`;
}

export function backLink(visit: Visit, afterSeconds?: number): Html | null {
  const address = returnAddress(visit.payment);
  if (address === null) return null;
  const { words } = visit;
  const timer = afterSeconds && html` data-go-after="${afterSeconds}"`;
  return html`<a class="button primary" href="${address}"${timer}><span>${words.html('leave.return', { merchant: merchantHtml(visit) })}</span></a>
${
  afterSeconds &&
  html`<p class="going">${goingBack(visit, afterSeconds)}
<a href="${pathOf(visit)}">${words.text('leave.stay')}</a></p>`
}`;
}

const leftReturnSeconds = 1;

/** A customer who has just left the payment is also redirected to the merchant, after `leftReturnSeconds`. */
export function wayBack(visit: Visit): Pick<Outcome, 'actions' | 'head'> {
  const address = returnAddress(visit.payment);
  if (visit.step !== 'left' || address === null) return { actions: backLink(visit) };
  return {
    actions: backLink(visit, leftReturnSeconds),
    head: refreshWithoutScript(address, leftReturnSeconds),
  };
}

/** Redirects browsers that run no scripts. With script, the page shows a countdown and then redirects. */
export function refreshWithoutScript(address: string, afterSeconds: number): Html {
  return html`<noscript><meta http-equiv="refresh" content="${afterSeconds};url=${address}"></noscript>`;
}

/** The script gets one sentence for each number of seconds left, from 0 on. */
function goingBack({ words }: Visit, afterSeconds: number): Html {
  const sentences = Array.from({ length: afterSeconds + 1 }, (_, seconds) =>
    words.text('leave.goingBack', { seconds }),
  );
  return html`<span data-countdown data-sentences="${JSON.stringify(sentences)}">${sentences[afterSeconds]}</span>`;
}
