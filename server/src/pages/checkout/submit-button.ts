import { type Fragment, type Html, html } from '../../kit/html.ts';

interface Button {
  label: Fragment;
  busyLabel: string;
  icon?: Html;
  look?: 'primary' | 'secondary';
  name?: string;
  value?: string;
}

export function submitButton({ label, busyLabel, icon, look = 'primary', name, value }: Button): Html {
  const answer = name && html` name="${name}" value="${value}"`;
  return html`<button class="button ${look}" type="submit"${answer} data-busy="${busyLabel}">${icon}<span data-label>${label}</span></button>`;
}

/** Screen readers announce text in a live region only if the page already had the empty region. */
export const sendingStatus = html`<p class="visually-hidden" role="status" data-sending></p>`;
