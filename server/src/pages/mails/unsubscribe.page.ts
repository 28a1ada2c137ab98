import { type Html, html } from '../../kit/html.ts';
import { layout, type Place } from './layout.ts';

export interface StoppedMails {
  title: string;
  email: string;
}

export function unsubscribePage(place: Place, { title, email }: StoppedMails, token: string): Html {
  return layout(
    place,
    'Stop mails',
    html`<h1>Stop mails</h1>
<p><bdi>${email}</bdi> gets a mail when this happens:</p>
<p class="kind">${title}</p>
<form method="post" action="${place.base}/mails/unsubscribe?token=${token}"><button>Stop these mails</button></form>
<p>All other mails stay on. ${account(place, 'Your account')} shows every kind of mail.</p>`,
  );
}

export function unsubscribedPage(place: Place, { title, email }: StoppedMails): Html {
  return layout(
    place,
    'Mails stopped',
    html`<h1>Mails stopped</h1>
<p><bdi>${email}</bdi> gets no more mails when this happens:</p>
<p class="kind">${title}</p>
<p>To get them again, switch them on in ${account(place)}.</p>`,
  );
}

export function invalidTokenPage(place: Place): Html {
  return layout(
    place,
    'This link is not valid',
    html`<h1>This link is not valid</h1>
<p>No mails were stopped. The link was not copied whole, or the user was removed.</p>
<p>To stop mails, use ${account(place)}.</p>`,
  );
}

function account({ base }: Place, text = 'your account'): Html {
  return html`<a href="${base}/dashboard/account?tab=notifications">${text}</a>`;
}
