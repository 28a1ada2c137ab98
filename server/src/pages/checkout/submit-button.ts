import { type Fragment, type Html, html } from '../../kit/html.ts';

interface Button {
  label: Fragment;
  /** The label while the form is being sent, set by the script. */
  busyLabel: string;
  icon?: Html;
  look?: 'primary' | 'secondary';
  /** Needed when a form has two buttons. */
  name?: string;
  value?: string;
}

/**
 * The button of a form with `data-once`. After the first click the
 * script shows it as busy, and tells screen readers too.
 */
export function submitButton({ label, busyLabel, icon, look = 'primary', name, value }: Button): Html {
  const answer = name && html` name="${name}" value="${value}"`;
  return html`<button class="button ${look}" type="submit"${answer} data-busy="${busyLabel}">${icon}<span data-label>${label}</span></button>`;
}

/** Empty until the form is sent: screen readers announce a live region only if it was in the page before its text. */
export const sendingStatus = html`<p class="visually-hidden" role="status" data-sending></p>`;
