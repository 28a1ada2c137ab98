import { bar, styles } from '../../kit/bar.ts';
import { type Fragment, type Html, html } from '../../kit/html.ts';
import { htmlPage } from '../../kit/html-page.ts';

interface Place {
  name: string;
  /** The path prefix that a proxy adds to all paths of this server. */
  base: string;
}

interface Demo {
  /** The URL of the service, for the command and for previews of links. */
  publicUrl: string;
  isDemo: boolean;
  /** Whether the visitor may read the mailbox. */
  hasMailbox: boolean;
  /** The reference of the test checkout from which a customer returned after the payment. */
  paidReference?: string | undefined;
}

const description = 'Payments for merchants: a hosted checkout, and a signed webhook for everything that happens.';

export function homePage(place: Place, { publicUrl, isDemo, hasMailbox, paidReference }: Demo): Html {
  const { name, base } = place;
  return frame(
    place,
    name,
    html`<div class="hero">
<div>
<h1>${name}</h1>
<p>${description}</p>
${isDemo && paidReference !== undefined && paid(base, paidReference)}
${isDemo && demo(base)}
${command(publicUrl, isDemo)}
</div>
<picture>
<source srcset="${base}/home/assets/checkout-dark.png" media="(prefers-color-scheme: dark)" data-dark>
<img src="${base}/home/assets/checkout-light.png" width="1280" height="800" alt="The hosted checkout: the amount on the left, the card form on the right">
</picture>
</div>
<ul class="ways">
${way(`${base}/dashboard`, 'Dashboard', 'payments, events and their deliveries, API keys, endpoints of webhooks')}
${hasMailbox && way(`${base}/mails`, 'Mails', 'the receipts of your test checkouts, and every other mail of this demo')}
${way(`${base}/docs`, 'Documentation', 'guides, and every operation with samples')}
${way(`${base}/docs/quick-start`, 'Quick start', 'take a payment and receive its webhook in five minutes')}
${way(`${base}/openapi.yaml`, 'openapi.yaml', 'the contract, for generators and tools')}
</ul>`,
    preview(place, publicUrl),
  );
}

/** What search engines and programs that show previews of links read. */
function preview({ name }: Place, publicUrl: string): Html {
  return html`<meta name="description" content="${description}">
<meta property="og:type" content="website">
<meta property="og:title" content="${name}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${publicUrl}/">
<meta property="og:image" content="${publicUrl}/home/assets/checkout-light.png">
`;
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

function paid(base: string, reference: string): Html {
  return html`<p class="note" role="status">You have paid. <a href="${base}/dashboard/test/payments/${encodeURIComponent(reference)}">See the payment in the dashboard</a>: sign in with the address and the password that the terminal printed.</p>`;
}

function demo(base: string): Html {
  return html`<form class="demo" method="post" action="${base}/test-checkout">
<p>See what a customer sees. The demo merchant makes a checkout in test mode: no money moves, and the page has the cards to pay with.</p>
<button>Pay a test checkout</button>
</form>`;
}

/** The service stores only hashes of keys, so the command of a demo is the one that needs no key. */
function command(publicUrl: string, isDemo: boolean): Html {
  const [about, text] = isDemo
    ? [
        'Or from a terminal: this command prints the link of a test checkout.',
        `curl -s -o /dev/null -w '%{redirect_url}\\n' \\
  -X POST ${publicUrl}/test-checkout`,
      ]
    : [
        'This call creates a checkout. Put an API key from the dashboard into KEY first.',
        `curl -s ${publicUrl}/api/v1/payments/checkout -H "x-api-key: $KEY" \\
  -H 'Content-Type: application/json' -d '{"email": "ada@example.com", "amount": 500000}'`,
      ];
  return html`<p>${about}</p>
<figure class="code"><figcaption><span>Shell</span></figcaption>
<pre tabindex="0"><code>${text}</code></pre></figure>`;
}

function way(href: string, title: string, about: string): Html {
  return html`<li><a href="${href}">${title}</a> <small>${about}</small></li>`;
}

function frame({ name, base }: Place, title: string, content: Fragment, head?: Fragment): Html {
  return htmlPage({
    title,
    head: html`${head}${styles(base)}
<link rel="stylesheet" href="${base}/home/assets/home.css">
<script type="module" src="${base}/docs/assets/docs.js"></script>`,
    body: html`${bar({ name, base, isHome: true })}
<main id="content" class="docs home">${content}</main>`,
  });
}
