import { type Fragment, type Html, html } from '../../kit/html.ts';
import type { Mail } from '../../platform/mail/mail.entity.ts';
import type { MailContent } from '../../platform/mail/mails.service.ts';
import { layout, type Place } from './layout.ts';

interface ListedMail {
  mail: Mail;
  content: MailContent;
}

export const maxShown = 100;

/** The links of a mail open in a new tab, because the pages of this server refuse to be shown in a frame. */
export const sandbox = ['allow-popups', 'allow-popups-to-escape-sandbox'];

export function mailsPage(place: Place, mails: readonly ListedMail[]): Html {
  return layout(
    place,
    'Mails',
    html`<h1>Mails</h1>
<p>This demo sends no mail, because <code>MAIL_URL</code> is not set. It keeps its mails here, and shows them only to a browser on this machine.</p>
${mails.length === 0 ? empty : list(place, mails)}
${mails.length === maxShown && html`<p class="rest">Only the newest ${maxShown} mails are shown here. <code>npx tillhook mails list</code> lists more.</p>`}`,
  );
}

const empty = html`<p class="empty">There is no mail yet. Change a password in the dashboard, for example, and the mail about it appears here.</p>`;

function list({ base }: Place, mails: readonly ListedMail[]): Html {
  return html`<ol>
${mails.map(
  ({ mail, content }) => html`<li><a href="${base}/mails/${mail.id}"><bdi>${content.subject}</bdi></a> ${time(mail)}
<small>to <bdi>${mail.recipient}</bdi> · <code>${mail.kind}</code></small></li>
`,
)}</ol>`;
}

interface ShownMail extends ListedMail {
  from: { name: string; address: string } | undefined;
}

export function mailPage(place: Place, { mail, content, from }: ShownMail): Html {
  const { subject, text, senderName, replyTo } = content;
  const headers: [name: string, value: Fragment][] = [
    ['From', from && `${senderName ?? from.name} <${from.address}>`],
    ...(replyTo ? [['Reply-To', replyTo] as [string, string]] : []),
    ['To', mail.recipient],
    ['Date', time(mail)],
    ['Message-ID', mail.messageId],
    ['Kind', html`<code>${mail.kind}</code>`],
  ];
  return layout(
    place,
    subject,
    html`<p class="back"><a href="${place.base}/mails">All mails</a></p>
<h1><bdi>${subject}</bdi></h1>
<dl>
${headers.map(([name, value]) => html`<div><dt>${name}</dt><dd><bdi>${value}</bdi></dd></div>\n`)}</dl>
<h2>HTML</h2>
<iframe src="${place.base}/mails/${mail.id}/html" sandbox="${sandbox.join(' ')}" title="The mail as HTML"></iframe>
<h2>Plain text</h2>
<pre dir="auto" tabindex="0">
${text}</pre>`,
  );
}

function time({ createdAt }: Mail): Html {
  const iso = createdAt.toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC</time>`;
}
