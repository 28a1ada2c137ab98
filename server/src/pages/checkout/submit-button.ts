import { type Fragment, type Html, html } from '../../kit/html.ts';

interface Button {
  label: Fragment;
  /** The label that the script sets while the form is being sent. */
  busyLabel: string;
  icon?: Html;
  look?: 'primary' | 'secondary';
  /** The name of the button, for a form with two buttons. */
  name?: string;
  value?: string;
}

/**
 * The submit button of a form with `data-once`. After the first click, the script shows the button as busy and
 * announces this to screen readers.
 */
export function submitButton({ label, busyLabel, icon, look = 'primary', name, value }: Button): Html {
  const answer = name && html` name="${name}" value="${value}"`;
  return html`<button class="button ${look}" type="submit"${answer} data-busy="${busyLabel}">${icon}<span data-label>${label}</span></button>`;
}

/**
 * The element is empty until the form is sent, because screen readers announce text in a live region only if the page
 * already had the empty region.
 */
export const sendingStatus = html`<p class="visually-hidden" role="status" data-sending></p>`;
