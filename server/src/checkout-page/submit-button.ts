import { type Fragment, type Html, html } from '../kit/html.ts';

interface Button {
  label: Fragment;
  /** What it says while the form is on its way, which takes script. */
  busyLabel: string;
  icon?: Html;
  look?: 'primary' | 'secondary';
  /** Where a form has two. */
  name?: string;
  value?: string;
}

/** The button of a form with `data-once`: busy from the first click on, and said so to who cannot see it turn. */
export function submitButton({ label, busyLabel, icon, look = 'primary', name, value }: Button): Html {
  const answer = name && html` name="${name}" value="${value}"`;
  return html`<button class="button ${look}" type="submit"${answer} data-busy="${busyLabel}">${icon}<span data-label>${label}</span></button>`;
}

/** Empty until the form is sent: a live region has to be there before it has something to say. */
export const sendingStatus = html`<p class="visually-hidden" role="status" data-sending></p>`;
