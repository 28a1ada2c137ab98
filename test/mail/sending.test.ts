import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { withFreshEntityManager } from '@tillhook/server/src/context.ts';
import { newId } from '@tillhook/server/src/kit/ids.ts';
import { createSealer } from '@tillhook/server/src/kit/seal.ts';
import { inTransaction } from '@tillhook/server/src/platform/database/transaction.ts';
import { writeMail } from '@tillhook/server/src/platform/mail/mails.service.ts';
import { purgeMails } from '@tillhook/server/src/platform/mail/purge-mails.job.ts';
import { sendMails } from '@tillhook/server/src/platform/mail/send-mails.job.ts';
import { createMailSender } from '@tillhook/server/src/platform/mail/smtp.ts';
import { mailRenderers } from '@tillhook/server/src/start/mail-kinds.ts';
import test, { type ExecutionContext } from 'ava';
import { eventually } from '../support/eventually.ts';
import { type MailServer, type SmtpAnswer, startMailServer } from '../support/mail/mail-server.ts';
import { addMailKind, sampleKind } from '../support/mail/sample-kind.ts';
import { figuresOf } from '../support/server/figures.ts';
import { type OwnServer, ownServerForFile } from '../support/server/tillhook.ts';

const answers = new Map<string, SmtpAnswer[]>();
const contentAnswers = new Map<string, (SmtpAnswer | 'drop')[]>();
const mails: MailServer = await startMailServer({
  toRecipient: (address) => answers.get(address)?.shift(),
  toContent: (address) => contentAnswers.get(address)?.shift(),
});
const from = 'Example Shop <pay@example.com>';
const server = ownServerForFile({ MAIL_URL: mails.url, MAIL_FROM: from });
/** Sends no mails by itself, so that a test can send them to another mail server. */
const api = ownServerForFile({ ROLE: 'api', MAIL_URL: mails.url, MAIL_FROM: from, RETENTION_DAYS: '1' });
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
  await t.throwsAsync(write(server(), recipient, { failure: new Error('rolled back') }), { message: 'rolled back' });
  t.is(await statusOf(server(), recipient), undefined);
});

test('a mail that is no longer needed when it is to be sent ends as dropped', async (t) => {
  const recipient = 'dropped-by-us@example.com';
  await write(server(), recipient, { values: { content: null } });

  await eventually(() => statusOf(server(), recipient), 'dropped');

  t.is(receivedBy(recipient).length, 0);
  t.is(await triesOf(server(), recipient), 0);
});

test('a mail that cannot be rendered is tried again, with the reason in last_answer', async (t) => {
  const recipient = 'unrendered@example.com';
  let isMended = false;
  addMailKind('broken', async () => {
    if (!isMended) throw new Error('The payment has no amount');
    return content;
  });
  await write(server(), recipient, { kind: 'broken' });
  await eventually(() => triesOf(server(), recipient), 1);
  t.is(await statusOf(server(), recipient), 'pending');
  t.is(await answerTo(server(), recipient), 'The payment has no amount');

  isMended = true;
  await makeDue(server(), recipient);

  await eventually(() => statusOf(server(), recipient), 'sent');
});

test('a mail of a kind that this version does not know, or with another master key, waits', async (t) => {
  const { context } = server();
  const sealer = createSealer([{ id: 'other', key: randomBytes(32) }]);
  for (const [recipient, kind, written, reason] of [
    ['newer@example.com', 'newer_kind', context, /does not know mails of the kind newer_kind/],
    ['other-key@example.com', sampleKind, { ...context, sealer }, /No configured master key opens this/],
  ] as const) {
    await write({ context: written }, recipient, { kind });
    await eventually(() => triesOf(server(), recipient), 1);
    t.is(await statusOf(server(), recipient), 'pending', recipient);
    t.regex((await answerTo(server(), recipient)) ?? '', reason, recipient);
  }
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

test('an answer 5xx to the content ends the mail', async (t) => {
  const recipient = 'unwanted@example.com';
  contentAnswers.set(recipient, [{ code: 554, text: 'We want no such mails' }]);
  await write(server(), recipient);

  await eventually(() => statusOf(server(), recipient), 'refused');

  t.is(await answerTo(server(), recipient), '554 We want no such mails');
});

test('a mail whose connection ends after the content arrives twice, with one Message-ID', async (t) => {
  const recipient = 'dropped@example.com';
  contentAnswers.set(recipient, ['drop']);
  await write(server(), recipient);
  await eventually(() => triesOf(server(), recipient), 1);
  t.is(await statusOf(server(), recipient), 'pending');

  await makeDue(server(), recipient);

  await eventually(() => statusOf(server(), recipient), 'sent');
  const ids = receivedBy(recipient).map(({ source }) => /^Message-ID: (.*)\r$/m.exec(source)?.[1]);
  t.is(ids.length, 2);
  t.is(new Set(ids).size, 1);
});

test.serial('a mail server that accepts connections and says nothing delays the mail', async (t) => {
  const recipient = 'hanging@example.com';
  await write(api(), recipient);

  await sendTo(t, await startSilentServer(t));

  t.is(await statusOf(api(), recipient), 'pending');
  t.is(await triesOf(api(), recipient), 1);
  t.regex((await answerTo(api(), recipient)) ?? '', /Greeting never received/);
  await remove(api(), recipient);
});

test.serial(
  'a mail server that refuses our password delays the mail, because the address is not at fault',
  async (t) => {
    const recipient = 'grace@example.com';
    let isKnown = false;
    const closed = await startMailServer({
      toPassword: () => (isKnown ? undefined : { code: 535, text: 'Wrong password' }),
    });
    t.teardown(() => closed[Symbol.asyncDispose]());
    const url = closed.url.replace('//', '//user:secret@');
    await write(api(), recipient);

    await sendTo(t, url);

    t.is(await statusOf(api(), recipient), 'pending');
    t.regex((await answerTo(api(), recipient)) ?? '', /^535 /);
    isKnown = true;
    await makeDue(api(), recipient);
    await sendTo(t, url);
    t.is(await statusOf(api(), recipient), 'sent');
  },
);

test.serial('/metrics counts mails by result, and has the age of the oldest due mail', async (t) => {
  const recipient = 'counted@example.com';
  const before = await figuresOf(api());
  await write(api(), recipient);
  await api().database.query(`update mail set next_check_at = now() - interval '90 seconds' where recipient = $1`, [
    recipient,
  ]);
  await eventually(
    async () => (await figuresOf(api())).get('tillhook_mail_due_seconds') ?? 0,
    (seen) => seen >= 90,
  );
  answers.set(recipient, [greylisted]);
  await sendTo(t, mails.url);
  await makeDue(api(), recipient);
  await sendTo(t, mails.url);
  answers.set(recipient, [unknownAddress]);
  await write(api(), recipient);
  await sendTo(t, mails.url);
  const last = `last-${recipient}`;
  answers.set(last, [greylisted]);
  await write(api(), last);
  await api().database.query('update mail set tries = 8 where recipient = $1', [last]);
  await sendTo(t, mails.url);

  const after = await eventually(
    () => figuresOf(api()),
    (seen) => seen.get('tillhook_mail_due_seconds') === 0,
  );
  t.is(await statusOf(api(), last), 'failed');
  const increase = (result: string) => {
    const name = `tillhook_mails_total{result="${result}"}`;
    return (after.get(name) ?? Number.NaN) - (before.get(name) ?? Number.NaN);
  };
  t.deepEqual(['sent', 'refused', 'failed', 'retried'].map(increase), [1, 1, 1, 1]);
});

test.serial(
  'purge-mails keeps a refused mail until its address has rested, also with a shorter RETENTION_DAYS',
  async (t) => {
    const recipient = 'purged@example.com';
    const insert = (status: string, days: number) =>
      api().database.query(
        `insert into mail (id, kind, recipient, message_id, sealed_values, status, created_at, ended_at, next_check_at)
       values ($1, 'password_changed', $2, '', '', $3, now() - interval '9 days', now() - make_interval(days => $4), null)`,
        [newId(), recipient, status, days],
      );
    for (const [status, days] of [
      ['refused', 6],
      ['refused', 8],
      ['sent', 6],
      ['failed', 6],
    ] as const)
      await insert(status, days);

    await purgeMails(withFreshEntityManager(api().context));

    t.deepEqual(await statusesOf(api(), recipient), ['refused']);
  },
);

async function startSilentServer(t: ExecutionContext): Promise<string> {
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => sockets.add(socket)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  t.teardown(() => {
    silent.close();
    for (const socket of sockets) socket.destroy();
  });
  return `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`;
}

/** Sends the due mails of the server without a worker. */
async function sendTo(t: ExecutionContext, url: string): Promise<void> {
  const sender = createMailSender({ url, from: { name: '', address: 'pay@example.com' } });
  t.teardown(() => sender.close());
  await sendMails(api().context, { sender, renderers: mailRenderers });
}

const remove = ({ database }: OwnServer, recipient: string) =>
  database.query('delete from mail where recipient = $1', [recipient]);

interface Written {
  kind?: string;
  values?: object;
  failure?: Error;
}

async function write(
  { context }: Pick<OwnServer, 'context'>,
  recipient: string,
  { kind = sampleKind, values = { content }, failure }: Written = {},
): Promise<void> {
  await inTransaction(context, async (tx) => {
    await writeMail(tx, { kind, merchantId: null, recipient, values });
    if (failure) throw failure;
  });
}

interface Row {
  status: string;
  tries: number;
  answer: string | null;
}

async function rowsOf({ database }: OwnServer, recipient: string): Promise<Row[]> {
  return database.query('select status, tries, last_answer as answer from mail where recipient = $1 order by id', [
    recipient,
  ]);
}

const statusesOf = async (given: OwnServer, recipient: string) =>
  (await rowsOf(given, recipient)).map(({ status }) => status);

const statusOf = async (given: OwnServer, recipient: string) => (await statusesOf(given, recipient))[0];

const triesOf = async (given: OwnServer, recipient: string) => (await rowsOf(given, recipient))[0]?.tries;

const answerTo = async (given: OwnServer, recipient: string) => (await rowsOf(given, recipient))[0]?.answer;

async function makeDue({ database, context }: OwnServer, recipient: string): Promise<void> {
  await database.query('update mail set next_check_at = now() where recipient = $1', [recipient]);
  context.mails.ring();
}

const receivedBy = (recipient: string) => mails.received.filter((mail) => mail.recipient === recipient);
