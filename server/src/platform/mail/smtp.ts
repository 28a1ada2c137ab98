import type { Config } from '../../config/config.ts';
import { isLoopbackName } from '../../kit/loopback.ts';
import { printable } from '../../kit/terminal.ts';
import { oneLine } from './layout.ts';
import type { MailContent } from './mails.service.ts';

export interface OutgoingMail extends MailContent {
  recipient: string;
  messageId: string;
}

/**
 * `refused` ends a mail: the receiving server wants the mail neither now nor later. After the other results the mail is
 * tried again: `retried` if the receiving server asked for it, and `blocked` if the mail came to no receiving server.
 */
export interface MailOutcome {
  result: 'sent' | 'refused' | 'retried' | 'blocked';
  answer: string;
  /** Whether the server refused the address, and not the text of the mail. */
  isAddressRefused?: boolean;
}

export interface MailSender {
  /** Sends nothing any more when the signal has aborted, also if the mail server has the half of the mail. */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<MailOutcome>;
  close(): void;
}

type MailFrom = NonNullable<Config['mail']>['from'];

/** How many mails are sent at the same time. */
export const mailConnections = 5;
const connectMs = 10_000;
const silenceMs = 20_000;
const maxAnswerLength = 300;
const maxNameLength = 100;

/** Without a mail server, a mail of a demo stays in its mailbox. */
const mailbox: MailSender = {
  send: async () => ({
    result: 'sent',
    answer: 'The mail is in the mailbox of this service, because MAIL_URL is not set',
  }),
  close() {},
};

export function createMailSender(mail: NonNullable<Config['mail']>): MailSender {
  return mail.url ? senderTo(mail.url, mail.from) : mailbox;
}

function senderTo(url: string, from: MailFrom): MailSender {
  const { protocol, hostname } = new URL(url);
  const isLoopback = isLoopbackName(hostname);
  // The library is loaded for the first mail, so that no start waits for it.
  const open = async () =>
    (await import('nodemailer')).createTransport({
      url,
      pool: true,
      maxConnections: mailConnections,
      requireTLS: protocol === 'smtp:' && !isLoopback,
      // A mail server on this machine often has a certificate for another name, or none that is trusted.
      ignoreTLS: isLoopback,
      connectionTimeout: connectMs,
      greetingTimeout: connectMs,
      dnsTimeout: connectMs,
      socketTimeout: silenceMs,
      socketCloseTimeout: 0,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  let opened: ReturnType<typeof open> | undefined;
  return {
    async send(mail, signal) {
      try {
        opened ??= open();
        const { response } = await (await opened).sendMail({ ...messageOf(mail, from), signal });
        return { result: 'sent', answer: shortened(response) };
      } catch (error) {
        return outcomeOf(error, signal);
      }
    },
    close: () => void opened?.then((transport) => transport.close()),
  };
}

export function messageOf(mail: OutgoingMail, from: MailFrom) {
  const { recipient, messageId, subject, text, html, senderName, replyTo, unsubscribeUrl } = mail;
  const name = senderName ? [...oneLine(senderName)].slice(0, maxNameLength).join('') : from.name;
  return {
    from: { name, address: from.address },
    to: { name: '', address: recipient },
    ...(replyTo && { replyTo: { name: '', address: replyTo } }),
    subject: oneLine(subject),
    text,
    html,
    textEncoding: smallestEncoding(html),
    messageId,
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribeUrl && {
        'List-Unsubscribe': `<${unsubscribeUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
  };
}

/** Quoted-printable makes three bytes of a byte that is not ASCII, and base64 four of every three. */
function smallestEncoding(text: string): 'base64' | 'quoted-printable' {
  const bytes = Buffer.from(text);
  const quoted = bytes.filter((byte) => byte > 126 || byte === '='.charCodeAt(0));
  return quoted.length * 6 > bytes.length ? 'base64' : 'quoted-printable';
}

/** Only an answer to the recipient or to the content is about this mail; other errors are about us or the network. */
function outcomeOf(error: unknown, signal: AbortSignal): MailOutcome {
  if (signal.aborted) return { result: 'blocked', answer: 'The mail server took too long' };
  const { command = '', responseCode = 0, response, message } = error as MailError;
  const isAboutMail = ['RCPT TO', 'DATA'].includes(command) && responseCode >= 400;
  const result = responseCode >= 500 ? 'refused' : 'retried';
  // The answer to STARTTLS alone would not say that encryption is missing.
  const answer = command === 'STARTTLS' ? message : (response ?? message);
  const isAddressRefused = isAboutMail && command === 'RCPT TO' && responseCode >= 500;
  return { result: isAboutMail ? result : 'blocked', answer: shortened(answer), isAddressRefused };
}

interface MailError extends Error {
  command?: string;
  responseCode?: number;
  response?: string;
}

export const shortened = (answer: string) => printable(answer).slice(0, maxAnswerLength);
