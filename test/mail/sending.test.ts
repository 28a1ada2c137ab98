import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { withFreshEntityManager } from '@tillhook/server/src/context.ts';
import { newId } from '@tillhook/server/src/kit/ids.ts';
import { createSealer } from '@tillhook/server/src/kit/seal.ts';
import { inTransaction } from '@tillhook/server/src/platform/database/transaction.ts';
import { retryMail, writeMail } from '@tillhook/server/src/platform/mail/mails.service.ts';
import { purgeMails } from '@tillhook/server/src/platform/mail/purge-mails.job.ts';
import { type MailMeans, sendMails } from '@tillhook/server/src/platform/mail/send-mails.job.ts';
import { createMailSender } from '@tillhook/server/src/platform/mail/smtp.ts';
import { mailRenderers } from '@tillhook/server/src/start/mail-kinds.ts';
import test, { type ExecutionContext } from 'ava';
import { simpleParser } from 'mailparser';
import { eventually } from '../support/eventually.ts';
import { type MailServer, type SmtpAnswer, startMailServer } from '../support/mail/mail-server.ts';
import { addMailKind, sampleKind } from '../support/mail/sample-kind.ts';
import { figuresOf } from '../support/server/figures.ts';
import { type OwnServer, ownServerForFile, startServerWithContext } from '../support/server/tillhook.ts';

const answers = new Map<string, SmtpAnswer[]>();
/** The mail server never answers about this recipient. */
const silent = 'silent@example.com';
const contentAnswers = new Map<string, (SmtpAnswer | 'drop')[]>();
const mails: MailServer = await startMailServer({
  toRecipient: (address) => (address === silent ? 'nothing' : answers.get(address)?.shift()),
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

test('a service without a mail server, which is no demo, keeps the mails that were written with one', async (t) => {
  const recipient = 'waiting@example.com';
  const { context, database } = await startServerWithContext(t, { SEED_DEMO: 'false' });
  const { config } = server().context;
  await write({ context: { ...context, config } }, recipient);

  context.mails.ring();
  await sleep(300);

  t.deepEqual(await database.query('select status, tries from mail'), [{ status: 'pending', tries: 0 }]);
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

test('a text that the mail server refuses ends its mail, and the address gets other mails', async (t) => {
  const recipient = 'strict-filter@example.com';
  contentAnswers.set(recipient, [{ code: 554, text: 'This looks like spam' }]);
  await write(server(), recipient);
  await eventually(() => statusOf(server(), recipient), 'refused');

  await write(server(), recipient);

  t.deepEqual(await eventually(() => statusesOf(server(), recipient), ['refused', 'sent']), ['refused', 'sent']);
});

test('mails retry sends a mail again although its address rests', async (t) => {
  const recipient = 'full@example.com';
  answers.set(recipient, [unknownAddress]);
  await write(server(), recipient);
  await eventually(() => statusOf(server(), recipient), 'refused');
  await write(server(), recipient);
  await eventually(() => statusesOf(server(), recipient), ['refused', 'refused']);
  const ids = (await server().database.query('select id from mail where recipient = $1', [recipient])).map(({ id }) =>
    String(id),
  );

  for (const id of ids) t.true(await inTransaction(server().context, (tx) => retryMail(tx, id)));
  server().context.mails.ring();

  await eventually(() => statusesOf(server(), recipient), ['sent', 'sent']);
});

test('an address of more than 254 characters, or that would be read as several, is refused without a connection', async (t) => {
  const longest = `${'a'.repeat(64)}@${`${'b'.repeat(61)}.`.repeat(3)}com`;
  t.is(longest.length, 254);
  for (const recipient of [
    `${longest}m`,
    'a@example.com,b@example.com',
    'a@example.com\r\nBcc: b@example.com',
    'a <b@example.com>',
  ]) {
    await write(api(), recipient);
    await sendTo(t, 'smtp://127.0.0.1:1');

    t.is(await statusOf(api(), recipient), 'refused', recipient);
    t.regex((await answerTo(api(), recipient)) ?? '', /no email address/, recipient);
  }
  await write(server(), longest);
  // This mail server knows only addresses of up to 253 characters.
  await eventually(() => answerTo(server(), longest), '501 Error: Bad recipient address syntax');
  await write(server(), longest.slice(1));
  await eventually(() => statusOf(server(), longest.slice(1)), 'sent');
});

test('headers of a mail contain no line break, no control character and nothing that reverses a line', async (t) => {
  const recipient = 'headers@example.com';
  const evil = 'Shop\r\nBcc: eve@example.com\u2028\u202egnp\u0007"<x@example.com>';
  await write(server(), recipient, {
    values: {
      content: {
        ...content,
        ...{ subject: evil, senderName: evil, replyTo: 'help@example.com' },
        unsubscribeUrl: 'https://pay.example.com/mails/unsubscribe?token=a',
      },
    },
  });
  await eventually(() => statusOf(server(), recipient), 'sent');

  const [{ source = '' } = {}] = receivedBy(recipient);
  const mail = await simpleParser(source);
  const shown = 'Shop Bcc: eve@example.com gnp "<x@example.com>';
  t.is(mail.subject, shown);
  t.deepEqual(mail.from?.value, [{ name: shown, address: 'pay@example.com' }]);
  t.is(mail.replyTo?.text, 'help@example.com');
  t.false(mail.headers.has('bcc'));
  t.regex(source, /^List-Unsubscribe: <https:\/\/pay\.example\.com\/mails\/unsubscribe\?token=a>\r$/m);
  t.regex(source, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
});

test('a mail with many characters that are not ASCII is hardly larger than its content', async (t) => {
  const recipient = 'emoji@example.com';
  const text = '👩‍👩‍👧‍👦'.repeat(400);
  await write(server(), recipient, {
    values: { content: { subject: text.slice(0, 99), text, html: `<p>${text}</p>` } },
  });
  await eventually(() => statusOf(server(), recipient), 'sent');

  const [{ source = '' } = {}] = receivedBy(recipient);
  t.is((await simpleParser(source)).text?.trim(), text);
  t.true(source.length < 1.5 * 2 * Buffer.byteLength(text), String(source.length));
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

test.serial('a mail server that is silent about one recipient delays no mail to others', async (t) => {
  await write(server(), silent);
  await eventually(mails.maxAtOnce, (atOnce) => atOnce > 0);

  for (const recipient of ['first-other@example.com', 'second-other@example.com']) {
    await write(server(), recipient);
    await eventually(() => statusOf(server(), recipient), 'sent');
  }

  t.is(await triesOf(server(), silent), 0, 'the try of the delayed mail has not ended');
  await remove(server(), silent);
});

test.serial(
  'processes never send one mail at the same time, although the mail server answers later than a lease ends',
  async (t) => {
    const tryMs = 500;
    const hanging = await startMailServer({ toRecipient: () => 'nothing' });
    t.teardown(() => hanging[Symbol.asyncDispose]());
    const recipients = Array.from({ length: 7 }, (_, index) => `slow-${index}@example.com`);
    for (const recipient of recipients) await write(api(), recipient);

    const end = Date.now() + 6 * tryMs;
    const work = async () => {
      while (Date.now() < end) {
        await sendTo(t, hanging.url, { tryMs });
        await sleep(20);
      }
    };
    // Two processes hold all mails, and a third takes each mail whose lease ends.
    await Promise.all([work(), work(), work()]);

    t.is(hanging.maxAtOnce(), 1);
    for (const recipient of recipients) {
      t.like(await rowsOf(api(), recipient), [{ status: 'pending', answer: 'The mail server took too long' }]);
      await remove(api(), recipient);
    }
  },
);

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

test.serial('a process that stops claims no further mail', async (t) => {
  const recipient = 'after-stop@example.com';
  await write(api(), recipient);

  await sendTo(t, mails.url, { stop: AbortSignal.abort() });

  t.deepEqual(await rowsOf(api(), recipient), [{ status: 'pending', tries: 0, answer: null }]);
  await remove(api(), recipient);
});

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
        `insert into mail (id, kind, recipient, message_id, sealed_values, status, created_at, ended_at,
         next_check_at, rests_until)
       values ($1, 'password_changed', $2, '', '', $3, now() - interval '9 days', now() - make_interval(days => $4), null,
         case $3 when 'refused' then now() + make_interval(days => 7 - $4) end)`,
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
async function sendTo(t: ExecutionContext, url: string, means: Pick<MailMeans, 'stop' | 'tryMs'> = {}): Promise<void> {
  const sender = createMailSender({ url, from: { name: '', address: 'pay@example.com' } });
  t.teardown(() => sender.close());
  await sendMails(api().context, { sender, renderers: mailRenderers, ...means });
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
