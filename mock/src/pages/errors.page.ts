/** The page `/docs/errors`, to which `docUrl` of an error points. */
import type { IncomingMessage } from 'node:http';
import { type Model, namedSchema } from '@tillhook/openapi';
import type { MockAnswer } from '../requests/api-error.ts';
import { pathnameOf } from '../requests/routes.ts';
import { type Fragment, html, pageAnswer } from './frame.ts';

export function isErrorsPage(request: IncomingMessage): boolean {
  return pathnameOf(request) === '/docs/errors' && (request.method === 'GET' || request.method === 'HEAD');
}

export function createErrorsPage(model: Model): MockAnswer {
  const codes = Object.entries(namedSchema(model, 'ErrorCode')['x-extensible-enum'] ?? {});
  return pageAnswer({
    title: 'Errors',
    isWide: true,
    main: html`<h1>Errors</h1>
<p>What each code in <code>error.code</code> means.</p>
<dl class="codes">${codes.map(([code, meaning]) => html`<dt id="${code}"><code>${code}</code></dt><dd>${withCode(meaning)}</dd>`)}</dl>`,
  });
}

/** The contract writes names in backticks, as Markdown does. */
function withCode(text: string): Fragment {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
}
