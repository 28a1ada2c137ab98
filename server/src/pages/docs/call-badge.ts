import { type Html, html } from '../../kit/html.ts';

/** A call such as `POST /api/v1/transfers`, with its method as a word on its own colour. Undefined for other texts. */
export function callBadge(text: string): Html | undefined {
  const [, method, path] = /^(GET|POST|PUT|PATCH|DELETE) (\/\S*)$/.exec(text) ?? [];
  if (!method) return undefined;
  return html`<span class="call"><b class="method ${method.toLowerCase()}">${method}</b> <code>${path}</code></span>`;
}
