import { bar, styles } from '../../kit/bar.ts';
import { type Fragment, type Html, html } from '../../kit/html.ts';
import { htmlPage } from '../../kit/html-page.ts';

interface Place {
  name: string;
  /** The path prefix that a proxy adds to all paths of this server. */
  base: string;
}

interface Demo {
  isDemo: boolean;
  /** Whether the visitor may read the mailbox. */
  hasMailbox: boolean;
}

export function homePage(place: Place, { isDemo, hasMailbox }: Demo): Html {
  const { name, base } = place;
  return frame(
    place,
    name,
    html`<h1>${name}</h1>
<p>Payments for merchants: a hosted checkout, and a signed webhook for everything that happens.</p>
${isDemo && demo(base)}
<ul class="ways">
${way(`${base}/dashboard`, 'Dashboard', 'payments, events and their deliveries, API keys, endpoints of webhooks')}
${hasMailbox && way(`${base}/mails`, 'Mails', 'the receipts of your test checkouts, and every other mail of this demo')}
${way(`${base}/docs`, 'Documentation', 'guides, and every operation with samples')}
${way(`${base}/docs/quick-start`, 'Quick start', 'take a payment and receive its webhook in five minutes')}
${way(`${base}/openapi.yaml`, 'openapi.yaml', 'the contract, for generators and tools')}
</ul>`,
  );
}

/** The page that explains why no test checkout was started. */
export function refusedPage(place: Place, status: number): Html {
  const { heading, advice } = errorTexts[status] ?? (status < 500 ? errorTexts[404] : errorTexts[503]) ?? unavailable;
  return frame(
    place,
    `${heading} · ${place.name}`,
    html`<h1>${heading}</h1>
<p>${advice}</p>
<p><a href="${place.base}/">Back to the home page</a></p>`,
  );
}

interface ErrorText {
  heading: string;
  advice: string;
}

const unavailable: ErrorText = {
  heading: 'The test checkout could not be started',
  advice: 'The service is unavailable. Try again in a moment.',
};

const errorTexts: Record<number, ErrorText> = {
  403: {
    heading: 'This request came from another site',
    advice: 'A test checkout is started only with the button on the home page.',
  },
  404: {
    heading: 'There is no demo merchant',
    advice: 'Only the demo merchant takes test checkouts without an API key, and this service has none.',
  },
  429: {
    heading: 'Too many test checkouts',
    advice: 'Many test checkouts were started from your network. Try again in a minute.',
  },
  503: unavailable,
};

function demo(base: string): Html {
  return html`<form class="demo" method="post" action="${base}/test-checkout">
<p>See what a customer sees. The demo merchant makes a checkout in test mode: no money moves, and the page has the cards to pay with.</p>
<button>Pay a test checkout</button>
</form>`;
}

function way(href: string, title: string, about: string): Html {
  return html`<li><a href="${href}">${title}</a> <small>${about}</small></li>`;
}

function frame({ name, base }: Place, title: string, content: Fragment): Html {
  return htmlPage({
    title,
    head: html`${styles(base)}
<link rel="stylesheet" href="${base}/home/assets/home.css">
<script type="module" src="${base}/docs/assets/docs.js"></script>`,
    body: html`${bar({ name, base, isHome: true })}
<main id="content" class="docs home">${content}</main>`,
  });
}
