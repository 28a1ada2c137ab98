import { type Html, html } from '../../kit/html.ts';
import { icons, layout } from './layout.ts';
import type { WordKey } from './words/catalogues.ts';
import type { Words } from './words/words.ts';

interface Failure {
  words: Words;
  base: string;
  status: number;
  requestId: string;
  /** Replaces the usual sentences of some statuses. */
  sentences?: SentencesByStatus;
}

/** The error page names the cause only if that helps the customer. */
export function errorPage({ words, base, status, requestId, sentences = {} }: Failure): Html {
  const usual = usualSentences[status] ?? (status < 500 ? usualSentences[400] : usualSentences[500]) ?? unavailable;
  const { heading, advice } = sentences[status] ?? usual;
  return layout({
    words,
    title: words.text(heading),
    base,
    style: 'outcome',
    main: html`<main class="panel outcome waiting">
<div class="badge">${icons.question}</div>
<h1>${words.text(heading)}</h1>
<p class="lead">${words.text(advice)}</p>
${status >= 500 && html`<p class="request-id">${words.html('error.requestId', { id: html`<code dir="ltr">${requestId}</code>` })}</p>`}
</main>`,
  });
}

interface Sentences {
  heading: WordKey;
  advice: WordKey;
}

export type SentencesByStatus = Readonly<Record<number, Sentences>>;

const unavailable: Sentences = { heading: 'error.unavailable.heading', advice: 'error.unavailable.advice' };

const usualSentences: SentencesByStatus = {
  400: { heading: 'error.unreadable.heading', advice: 'error.unreadable.advice' },
  403: { heading: 'error.otherSite.heading', advice: 'error.otherSite.advice' },
  404: { heading: 'error.notFound.heading', advice: 'error.notFound.advice' },
  429: { heading: 'error.tooMany.heading', advice: 'error.tooMany.advice' },
  500: { heading: 'error.ours.heading', advice: 'error.ours.advice' },
  503: unavailable,
};
