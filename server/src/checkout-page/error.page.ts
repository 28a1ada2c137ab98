import { type Html, html } from '../kit/html.ts';
import { icons, layout } from './layout.ts';

interface Failure {
  /** The path of all hosted pages. */
  base: string;
  status: number;
  /** The id by which support finds the log line. */
  requestId: string;
}

/** The page when there is no payment to show. It gives the cause only as far as it helps the customer. */
export function errorPage({ base, status, requestId }: Failure): Html {
  const { heading, advice } = words[status] ?? (status < 500 ? words[400] : words[500]) ?? unavailable;
  return layout({
    title: heading,
    base,
    style: 'outcome',
    main: html`<main class="panel outcome waiting">
<div class="badge">${icons.question}</div>
<h1>${heading}</h1>
<p class="lead">${advice}</p>
${status >= 500 && html`<p class="request-id">If you ask for help, mention <code>${requestId}</code>.</p>`}
</main>`,
  });
}

interface Words {
  heading: string;
  advice: string;
}

const unavailable: Words = {
  heading: 'Payments are not available right now',
  advice: 'Please try again later. Before you pay again, reload this page: it shows whether your payment went through.',
};

const words: Record<number, Words> = {
  400: {
    heading: 'We could not read that',
    advice: 'Nothing was charged. Go back, reload the page and fill in the form again.',
  },
  403: {
    heading: 'This form came from another site',
    advice:
      'To keep you safe, we did not accept it and nothing was charged. Open the payment link itself and pay there.',
  },
  404: {
    heading: 'Payment not found',
    advice: 'There is no payment at this address. Check that the link is complete, or ask the merchant for a new one.',
  },
  429: {
    heading: 'Too many attempts',
    advice: 'Nothing was charged this time. Wait a minute, reload the page and try again.',
  },
  500: {
    heading: 'Something went wrong on our side',
    advice: 'Before you pay again, reload this page: it shows whether your payment went through.',
  },
  503: unavailable,
};
