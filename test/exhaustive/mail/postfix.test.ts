/** Sends mails to Debian's Postfix, and reads them back from its mailbox. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { receiptMail } from '@tillhook/server/src/money/mails/receipt-mail.ts';
import { inTransaction } from '@tillhook/server/src/platform/database/transaction.ts';
import { type MailContent, writeMail } from '@tillhook/server/src/platform/mail/mails.service.ts';
import { sendMails } from '@tillhook/server/src/platform/mail/send-mails.job.ts';
import { createMailSender } from '@tillhook/server/src/platform/mail/smtp.ts';
import { mailRenderers } from '@tillhook/server/src/start/mail-kinds.ts';
import test, { type ExecutionContext } from 'ava';
import { eventually } from '../../support/eventually.ts';
import { canRunPostfix, startPostfix } from '../../support/mail/postfix.ts';
import { sampleKind } from '../../support/mail/sample-kind.ts';
import { testEnvironment } from '../../support/server/environment.ts';
import { startFlags } from '../../support/server/process.ts';
import { ownServerForFile } from '../../support/server/tillhook.ts';

/** Without Postfix or without root the tests are skipped; with CI=true they fail. */
const onPostfix = canRunPostfix() || process.env.CI === 'true' ? test.serial : test.serial.skip;
const from = 'Nour <pay@example.com>';
const server = ownServerForFile({ ROLE: 'api', MAIL_URL: 'smtp://127.0.0.1:1', MAIL_FROM: from });

const receipt = (locale: string, merchant: string, item: string): MailContent =>
  receiptMail({
    publicUrl: 'https://pay.example.com',
    merchant: {
      ...{ name: merchant, logoHash: null, colour: '#7a1fa2', supportUrl: null },
      ...{ supportEmail: null, replyTo: 'help@example.com' },
    },
    payment: {
      ...{ accessCode: '01a1a509-18c9-7000-9451-6fe842322ca5', reference: 'order-1042', mode: 'live', amount: 3650n },
      ...{ currency: 'USD', customerEmail: 'ada@example.com', locale, completedAt: new Date('2026-11-28T19:30:00Z') },
      lineItems: [{ name: item, quantity: 1, unitAmount: 3650 }],
    },
  });

onPostfix('receipts in English and in Arabic arrive in a mailbox as they were rendered', async (t) => {
  const postfix = await start(t);
  const names = { en: 'Café Nour', ar: 'متجر نور' };
  const contents = {
    en: receipt('en-US', names.en, 'Coffee ☕, 2 × “house blend”'),
    ar: receipt('ar-EG', names.ar, 'قهوة'),
  };
  const ids = { en: await write('ada@example.com', contents.en), ar: await write('ada@example.com', contents.ar) };

  await send(t, postfix.port);

  const mails = await eventually(postfix.mailbox, (seen) => seen.length === 2);
  for (const language of ['en', 'ar'] as const) {
    const mail = mails.find(({ messageId }) => messageId === ids[language]);
    const content = contents[language];
    t.is(mail?.subject, content.subject);
    t.is(mail?.text?.trim(), content.text.trim());
    t.is(String(mail?.html).trim(), content.html.trim());
    t.deepEqual(mail?.attachments, []);
    t.deepEqual(mail?.to && [mail.to].flat().map(({ text }) => text), ['ada@example.com']);
    t.deepEqual(mail?.from?.value, [{ name: names[language], address: 'pay@example.com' }]);
    t.is(mail?.replyTo?.text, 'help@example.com');
    t.is(mail?.headers.get('auto-submitted'), 'auto-generated');
    t.regex(JSON.stringify(mail?.headers.get('return-path')), /pay@example\.com/);
    t.true(Math.abs((mail?.date?.getTime() ?? 0) - Date.now()) < 600_000);
  }
  t.true(contents.ar.html.includes('dir="rtl"'));
});

onPostfix('Postfix refuses an unknown address, and the mail ends with its answer', async (t) => {
  const postfix = await start(t);
  await write('unknown@example.com', receipt('en-US', 'Nour', 'Coffee'));

  await send(t, postfix.port);

  t.like(await rowOf('unknown@example.com'), { status: 'refused' });
  t.regex((await rowOf('unknown@example.com')).answer, /^550 5\.1\.1 .*User unknown in virtual mailbox table/);
});

onPostfix('Postfix with a greylist takes the mail at the second try', async (t) => {
  const policy = await startGreylist(t);
  const postfix = await start(t, [
    `smtpd_recipient_restrictions = reject_unauth_destination, check_policy_service inet:127.0.0.1:${policy}`,
  ]);
  const id = await write('ada@example.com', receipt('en-US', 'Nour', 'Coffee'));

  await send(t, postfix.port);
  const first = await rowOf('ada@example.com');
  await server().database.query('update mail set next_check_at = now()');
  await send(t, postfix.port);

  t.is(first.status, 'pending');
  t.regex(first.answer, /^450 4\.7\.1 .*Greylisted/);
  t.like(await rowOf('ada@example.com'), { status: 'sent', tries: 2 });
  const mails = await eventually(postfix.mailbox, (seen) => seen.length === 1);
  t.is(mails[0]?.messageId, id);
});

onPostfix('a mail server on another machine must offer STARTTLS, with a certificate that is trusted', async (t) => {
  const host = Object.values(networkInterfaces())
    .flat()
    .find((address) => address?.family === 'IPv4' && !address.internal)?.address;
  if (!host) return t.fail('This machine has only loopback addresses.');
  const { key, certificate } = makeCertificate(t, host);
  const plain = await startPostfix({ host });
  t.teardown(() => plain[Symbol.asyncDispose]());
  const encrypted = await startPostfix({
    host,
    lines: [
      'smtpd_tls_security_level = encrypt',
      `smtpd_tls_cert_file = ${certificate}`,
      `smtpd_tls_key_file = ${key}`,
      'smtpd_tls_received_header = yes',
    ],
  });
  t.teardown(() => encrypted[Symbol.asyncDispose]());
  await write('ada@example.com', null);

  for (const [port, env, answer] of [
    [plain.port, {}, /STARTTLS/],
    [encrypted.port, {}, /self-signed certificate/],
    [encrypted.port, { NODE_EXTRA_CA_CERTS: certificate }, /^250 /],
  ] as const) {
    await server().database.query('update mail set next_check_at = now()');
    await sendByProcess(`smtp://${host}:${port}`, env);
    t.regex((await rowOf('ada@example.com')).answer, answer);
  }

  t.is((await rowOf('ada@example.com')).status, 'sent');
  const [mail] = await eventually(encrypted.mailbox, (seen) => seen.length === 1);
  t.regex(String(mail?.headers.get('received')), /using TLSv1\.3/);
});

async function start(t: ExecutionContext, lines: readonly string[] = []) {
  const postfix = await startPostfix({ lines });
  t.teardown(() => postfix[Symbol.asyncDispose]());
  return postfix;
}

/** Without a content, the mail is one that the program knows too. Returns the `Message-ID`. */
async function write(recipient: string, content: MailContent | null): Promise<string> {
  const { context, database } = server();
  const kind = content ? sampleKind : 'password_changed';
  const values = content ? { content } : { details: {} };
  await inTransaction(context, (tx) => writeMail(tx, { kind, merchantId: null, recipient, values }));
  const [row] = await database.query('select message_id from mail order by id desc limit 1');
  return String(row?.message_id);
}

test.afterEach.always(() => server().database.query('delete from mail'));

async function send(t: ExecutionContext, port: number): Promise<void> {
  const sender = createMailSender({
    url: `smtp://127.0.0.1:${port}`,
    from: { name: 'Nour', address: 'pay@example.com' },
  });
  t.teardown(() => sender.close());
  await sendMails(server().context, { sender, renderers: mailRenderers });
}

async function sendByProcess(url: string, env: Record<string, string>): Promise<void> {
  const program = fileURLToPath(new URL('../../support/mail/send-mails.ts', import.meta.url));
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  const own = testEnvironment(server().database.url, { ROLE: 'api', MAIL_URL: url, MAIL_FROM: from, ...env });
  const child = spawn(process.execPath, [...startFlags, program], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { PATH, NODE_COMPILE_CACHE, ...own },
  });
  await once(child, 'exit');
}

async function rowOf(recipient: string) {
  const [row] = await server().database.query(
    'select status, tries, last_answer as answer from mail where recipient = $1',
    [recipient],
  );
  return row as { status: string; tries: number; answer: string };
}

/** A policy service of Postfix that asks for a second try of each recipient. */
async function startGreylist(t: ExecutionContext): Promise<number> {
  const seen = new Set<string>();
  const greylist = createServer((socket) => {
    socket.setEncoding('utf8').on('data', (text: string) => {
      const recipient = /^recipient=(.*)$/m.exec(text)?.[1] ?? '';
      socket.write(`action=${seen.has(recipient) ? 'DUNNO' : '450 4.7.1 Greylisted'}\n\n`);
      seen.add(recipient);
    });
    socket.on('error', () => {});
  }).listen(0, '127.0.0.1');
  await once(greylist, 'listening');
  t.teardown(() => greylist.close());
  return (greylist.address() as AddressInfo).port;
}

function makeCertificate(t: ExecutionContext, host: string) {
  const home = mkdtempSync(join(tmpdir(), 'tillhook-certificate-'));
  t.teardown(() => rmSync(home, { recursive: true }));
  const [key, certificate] = [join(home, 'key.pem'), join(home, 'certificate.pem')];
  const args = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=mail.example.com'];
  execFileSync(
    'openssl',
    ['req', ...args, '-addext', `subjectAltName=IP:${host}`, '-keyout', key, '-out', certificate],
    {
      stdio: 'ignore',
    },
  );
  return { key, certificate };
}
