import { type Command, Option } from 'commander';
import type { WriteContext } from '../context.ts';
import type { MailStatus } from '../platform/mail/mail.entity.ts';
import { example } from './arguments.ts';
import type { Actions } from './perform.ts';
import { maxListed, type Report } from './report.ts';

export function addMailCommands(program: Command, { inTransaction }: Actions): void {
  const mails = program
    .command('mails')
    .description('mails to users and customers')
    .addHelpText('after', example('tillhook mails list --status refused'));
  mails
    .command('list')
    .description(`show the newest ${maxListed} mails, without their content`)
    .addOption(
      new Option('--status <status>', 'only mails with this status').choices([
        'pending',
        'sent',
        'refused',
        'failed',
        'dropped',
      ]),
    )
    .addHelpText('after', example('tillhook mails list --status failed'))
    .action(inTransaction(list));
  mails
    .command('retry')
    .description('send a mail again that was refused or has failed')
    .argument('<id>', 'as mails list shows it')
    .addHelpText('after', example('tillhook mails retry 01a1a509-18c9-7000-9451-6fe842322ca5'))
    .action(inTransaction(retry));
}

const services = () => import('../platform/mail/mails.service.ts');

const headings = ['ID', 'KIND', 'RECIPIENT', 'STATUS', 'TRIES', 'CREATED', 'LAST ANSWER'];

async function list(context: WriteContext, { status }: { status?: MailStatus }): Promise<Report> {
  const { listMails } = await services();
  const mails = await listMails(context, { ...(status && { status }), limit: maxListed });
  const record = mails.map(({ id, kind, recipient, status, tries, createdAt, lastAnswer }) => ({
    ...{ id, kind, recipient, status, tries, lastAnswer },
    createdAt: createdAt.toISOString(),
  }));
  if (record.length === 0) return { record, note: 'No mail matches.' };
  const rows = record.map((mail) => [
    mail.id,
    mail.kind,
    mail.recipient,
    mail.status,
    String(mail.tries),
    mail.createdAt,
    mail.lastAnswer ?? '',
  ]);
  return { record, answer: { headings, rows } };
}

async function retry(context: WriteContext, { which }: { which: string }): Promise<Report> {
  const { retryMail } = await services();
  if (await retryMail(context, which)) return { record: { id: which }, note: `The mail ${which} will be sent again.` };
  return { record: null, note: `No refused or failed mail has the id ${which}.`, failed: true };
}
