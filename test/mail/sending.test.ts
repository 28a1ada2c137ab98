import { inTransaction } from '@tillhook/server/src/platform/database/transaction.ts';
import { writeMail } from '@tillhook/server/src/platform/mail/mails.service.ts';
import test from 'ava';
import { eventually } from '../support/eventually.ts';
import { type MailServer, type SmtpAnswer, startMailServer } from '../support/mail/mail-server.ts';
import { type OwnServer, ownServerForFile } from '../support/server/tillhook.ts';

const answers = new Map<string, SmtpAnswer[]>();
const mails: MailServer = await startMailServer({ toRecipient: (address) => answers.get(address)?.shift() });
const server = ownServerForFile({ MAIL_URL: mails.url, MAIL_FROM: 'Example Shop <pay@example.com>' });
test.after.always(() => mails[Symbol.asyncDispose]());

const content = { subject: 'Your password was changed', text: 'Hello', html: '<p>Hello</p>' };
const greylisted: SmtpAnswer = { code: 451, text: 'Try again later' };
const unknownAddress: SmtpAnswer = { code: 550, text: 'No such address' };

test('a mail is sent once, with text, HTML, sender, and a Message-ID from its id', async (t) => {
  const recipient = 'ada@example.com';
  await write(server(), recipient);

  await eventually(() => statusOf(server(), recipient), 'sent');

  const [mail, ...others] = receivedBy(recipient);
  t.deepEqual(others, []);
  t.regex(mail?.source ?? '', /^From: Example Shop <pay@example\.com>\r$/m);
  t.regex(mail?.source ?? '', /^Message-ID: <[0-9a-f-]{36}@example\.com>\r$/m);
  t.regex(mail?.source ?? '', /^Auto-Submitted: auto-generated\r$/m);
  t.regex(mail?.source ?? '', /<p>Hello<\/p>/);
});

test('a mail of a transaction that is rolled back is not sent', async (t) => {
  const recipient = 'rolled-back@example.com';
  await t.throwsAsync(write(server(), recipient, new Error('rolled back')), { message: 'rolled back' });
  t.is(await statusOf(server(), recipient), undefined);
});

test('an answer 4xx plans a second try, with the same Message-ID', async (t) => {
  const recipient = 'greylisted@example.com';
  answers.set(recipient, [greylisted]);
  await write(server(), recipient);
  await eventually(() => triesOf(server(), recipient), 1);
  t.is(await statusOf(server(), recipient), 'pending');

  await makeDue(server(), recipient);

  await eventually(() => statusOf(server(), recipient), 'sent');
  t.is(receivedBy(recipient).length, 1);
});

test('an answer 5xx to the recipient ends the mail, and the address rests', async (t) => {
  const recipient = 'unknown@example.com';
  answers.set(recipient, [unknownAddress]);
  await write(server(), recipient);
  await eventually(() => statusOf(server(), recipient), 'refused');

  await write(server(), recipient);

  await eventually(() => statusesOf(server(), recipient), ['refused', 'refused']);
  t.is(receivedBy(recipient).length, 0);
});

async function write({ context }: OwnServer, recipient: string, failure?: Error): Promise<void> {
  await inTransaction(context, async (tx) => {
    await writeMail(tx, { kind: 'password_changed', merchantId: null, recipient, ...content });
    if (failure) throw failure;
  });
}

async function rowsOf({ database }: OwnServer, recipient: string): Promise<{ status: string; tries: number }[]> {
  return database.query('select status, tries from mail where recipient = $1 order by id', [recipient]);
}

const statusesOf = async (given: OwnServer, recipient: string) =>
  (await rowsOf(given, recipient)).map(({ status }) => status);

const statusOf = async (given: OwnServer, recipient: string) => (await statusesOf(given, recipient))[0];

const triesOf = async (given: OwnServer, recipient: string) => (await rowsOf(given, recipient))[0]?.tries;

async function makeDue({ database, context }: OwnServer, recipient: string): Promise<void> {
  await database.query('update mail set next_check_at = now() where recipient = $1', [recipient]);
  context.mails.ring();
}

const receivedBy = (recipient: string) => mails.received.filter((mail) => mail.recipient === recipient);
