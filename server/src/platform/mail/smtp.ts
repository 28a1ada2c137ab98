import { createTransport } from 'nodemailer';
import type { Config } from '../../config/config.ts';
import { printable } from '../../kit/terminal.ts';
import type { MailContent } from './mails.service.ts';

export interface OutgoingMail extends MailContent {
  recipient: string;
  messageId: string;
}

/** `refused` ends a mail: the mail server wants it neither now nor later. After `failed`, the mail is tried again. */
export interface MailOutcome {
  result: 'sent' | 'refused' | 'failed';
  answer: string;
}

export interface MailSender {
  send(mail: OutgoingMail): Promise<MailOutcome>;
  close(): void;
}

type MailFrom = NonNullable<Config['mail']>['from'];

const connections = 2;
const connectMs = 10_000;
const silenceMs = 20_000;
const maxAnswerLength = 300;

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
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: connections,
    requireTLS: protocol === 'smtp:' && !isLoopback,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    dnsTimeout: connectMs,
    socketTimeout: silenceMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ recipient, messageId, subject, text, html, senderName, replyTo, unsubscribeUrl }) {
      try {
        const { response } = await transport.sendMail({
          from: { ...from, ...(senderName && { name: senderName }) },
          ...(replyTo && { replyTo: { name: '', address: replyTo } }),
          to: { name: '', address: recipient },
          subject,
          text,
          html,
          messageId,
          headers: {
            'Auto-Submitted': 'auto-generated',
            ...(unsubscribeUrl && {
              'List-Unsubscribe': `<${unsubscribeUrl}>`,
              'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
            }),
          },
        });
        return { result: 'sent', answer: shortened(response) };
      } catch (error) {
        return failedBy(error);
      }
    },
    close: () => transport.close(),
  };
}

/** Only an answer to the recipient or to the content ends a mail: other errors are about our settings or the network. */
export function failedBy(error: unknown): MailOutcome {
  const { command = '', responseCode = 0, response, message } = error as MailError;
  const isRefused = ['RCPT TO', 'DATA'].includes(command) && responseCode >= 500;
  return { result: isRefused ? 'refused' : 'failed', answer: shortened(response ?? message) };
}

interface MailError extends Error {
  command?: string;
  responseCode?: number;
  response?: string;
}

const shortened = (answer: string) => printable(answer).slice(0, maxAnswerLength);
