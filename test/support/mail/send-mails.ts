/** A program that sends the due mails once, without the other work of a worker. A test kills it. */
import { loadConfig } from '@tillhook/server/src/config/config.ts';
import { sendMails } from '@tillhook/server/src/platform/mail/send-mails.job.ts';
import { createMailSender } from '@tillhook/server/src/platform/mail/smtp.ts';
import { openCommandContext } from '@tillhook/server/src/start/command-context.ts';
import { mailRenderers } from '@tillhook/server/src/start/mail-kinds.ts';

await using started = new AsyncDisposableStack();
const config = loadConfig();
if (!config.mail) throw new Error('MAIL_URL is not set.');
const { context } = await openCommandContext({ config, started });
const sender = createMailSender(config.mail);
started.defer(() => sender.close());
await sendMails({ ...context, publicUrl: 'https://pay.example.com' }, { sender, renderers: mailRenderers });
