import { type Fragment, type Html, html } from '../kit/html.ts';

/** One line of a list of facts; none when there is nothing to say. */
export function fact(name: string, value: Fragment): Html | null {
  return value ? html`<div><dt>${name}</dt><dd>${value}</dd></div>` : null;
}
