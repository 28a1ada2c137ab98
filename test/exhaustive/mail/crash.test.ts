/** Kills a process at each statement with which it writes or sends a mail, and while it talks to the mail server. */
/** The table in the section Mail of the operations guide has the results. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { withFreshEntityManager } from '@tillhook/server/src/context.ts';
import { inTransaction } from '@tillhook/server/src/platform/database/transaction.ts';
import { writeMail } from '@tillhook/server/src/platform/mail/mails.service.ts';
import { sendMails } from '@tillhook/server/src/platform/mail/send-mails.job.ts';
import { createMailSender } from '@tillhook/server/src/platform/mail/smtp.ts';
import { mailRenderers } from '@tillhook/server/src/start/mail-kinds.ts';
import test, { type ExecutionContext } from 'ava';
import { type Loss, startStatementCutter } from '../../support/database/statement-cutter.ts';
import { startMailServer } from '../../support/mail/mail-server.ts';
import { spawnCommand } from '../../support/server/command.ts';
import { testEnvironment } from '../../support/server/environment.ts';
import { startFlags } from '../../support/server/process.ts';
import { ownServerForFile } from '../../support/server/tillhook.ts';
import { findPostgres } from '../../support/shared-fixtures.ts';
import { addUser } from '../../support/users/users.ts';

interface Running {
  ended: Promise<{ code: number | null; stderr: string }>;
  kill(): unknown;
}

interface Place {
  name: string;
  /** Runs the process, and kills it at this place. */
  run(start: () => Running): Promise<{ code: number | null }>;
  isAfterCommit: boolean;
}

let atRecipient: (() => void) | undefined;
let atContent: (() => void) | undefined;
const mails = await startMailServer({
  toRecipient() {
    atRecipient?.();
    return atRecipient && 'nothing';
  },
  toContent() {
    atContent?.();
    return atContent && 'drop';
  },
});
const cutter = await startStatementCutter(await findPostgres());
test.after.always(() => mails[Symbol.asyncDispose]());
const settings = { ROLE: 'api', MAIL_URL: mails.url, MAIL_FROM: 'pay@example.com' };
const server = ownServerForFile(settings);
const environment = () => testEnvironment(cutter.reach(server().database.url), settings);
const recipient = 'ada@example.com';

test.serial(
  'a process that is killed while it changes a password leaves the new password and its mail, or neither',
  async (t) => {
    const email = await addUser(server(), await server().createMerchant());
    const start = () => spawnCommand(environment(), 'users', 'reset-password', '--email', email);
    const look = async () => {
      const [row] = await server().database.query(
        `select password_hash, (select count(*)::int from mail where recipient = email) as mails
         from dashboard_user where email = $1`,
        [email],
      );
      return { password: String(row?.password_hash), mails: Number(row?.mails) };
    };
    const places = await placesOf(start);
    t.is((await look()).mails, 1);

    for (const { name, run, isAfterCommit } of places) {
      const before = await look();
      t.is((await run(start)).code, null, `${name}: the process exited before it was killed`);

      const after = await look();
      t.is(after.password !== before.password, isAfterCommit, name);
      t.is(after.mails - before.mails, Number(isAfterCommit), name);
      t.log(`${name}: ${isAfterCommit ? 'a new password and its mail' : 'neither'}`);
    }
  },
);

test.serial('a mail whose sender is killed anywhere arrives, and twice only with one Message-ID', async (t) => {
  await write();
  const byStatement = await placesOf(startSending);
  t.is(await statusOf(), 'sent');
  // Afterwards the process looks for another mail.
  const sentAt = byStatement.findIndex(({ name, isAfterCommit }) => isAfterCommit && /set status/.test(name));
  const places = [
    ...byStatement,
    whileTalking('the mail server has the recipient', (kill) => {
      atRecipient = kill;
    }),
    whileTalking('the mail server has the content', (kill) => {
      atContent = kill;
    }),
  ];
  t.true(places.length > 16, String(places.length));

  for (const [index, { name, run }] of places.entries()) {
    const messageId = await write();
    t.is((await run(startSending)).code, null, `${name}: the process exited before it was killed`);

    const isEnded = (await statusOf()) === 'sent';
    t.is(isEnded, index >= sentAt && index < byStatement.length, name);
    const arrived = mails.received.length;
    await sendAgain(t);

    t.is(await statusOf(), 'sent', name);
    t.is(mails.received.length, isEnded ? arrived : arrived + 1, name);
    t.true(mails.received.length > 0, name);
    const ids = mails.received.map(({ source }) => /^Message-ID: (.*)\r$/m.exec(source)?.[1]);
    t.deepEqual([...new Set(ids)], [messageId], name);
    t.log(`${name}: ${isEnded ? 'sent' : 'pending'}, arrives ${ids.length} times`);
  }
});

/** The process runs once without a kill, so that the statements are known. */
async function placesOf(start: () => Running): Promise<Place[]> {
  cutter.cutAt({ message: Number.POSITIVE_INFINITY, loss: 'statement' });
  const { code, stderr } = await start().ended;
  const messages = [...cutter.messages];
  cutter.disarm();
  if (code !== 0 || messages.length < 4) throw new Error(`${stderr}\n${messages.join('\n')}`);
  return messages.flatMap((statement, index) => {
    const isCommit = /^commit/i.test(statement);
    const name = isCommit ? `${statement} after ${messages[index - 1]}` : statement;
    return (['statement', 'answer'] as const).map((loss) => ({
      name: `${loss === 'answer' ? 'after' : 'before'} ${name}`,
      run: (again: () => Running) => killedAt({ message: index + 1, loss }, again),
      isAfterCommit: isCommit && loss === 'answer',
    }));
  });
}

async function killedAt(place: { message: number; loss: Loss }, start: () => Running) {
  let running: Running | undefined;
  cutter.cutAt({ ...place, onCut: () => running?.kill() });
  running = start();
  const end = await running.ended;
  cutter.disarm();
  return end;
}

function whileTalking(name: string, arm: (kill: (() => void) | undefined) => void): Place {
  return {
    name,
    async run(start) {
      const running = start();
      arm(() => running.kill());
      const end = await running.ended;
      arm(undefined);
      return end;
    },
    isAfterCommit: false,
  };
}

function startSending(): Running {
  const program = fileURLToPath(new URL('../../support/mail/send-mails.ts', import.meta.url));
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  const child = spawn(process.execPath, [...startFlags, program], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH, NODE_COMPILE_CACHE, ...environment() },
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return {
    ended: new Promise((resolve) => child.on('close', (code) => resolve({ code, stderr }))),
    kill: () => child.kill('SIGKILL'),
  };
}

/** Makes the only mail. Returns its `Message-ID`. */
async function write(): Promise<string> {
  await server().database.query('delete from mail');
  mails.received.length = 0;
  await inTransaction(withFreshEntityManager(server().context), (tx) =>
    writeMail(tx, { kind: 'password_changed', merchantId: null, recipient, values: { details: {} } }),
  );
  const [row] = await server().database.query('select message_id from mail');
  return String(row?.message_id);
}

async function statusOf(): Promise<unknown> {
  return (await server().database.query('select status from mail'))[0]?.status;
}

/** Sends the mail as another process does when the lease of the killed process has ended. */
async function sendAgain(t: ExecutionContext): Promise<void> {
  const { database, context } = server();
  await database.query(`update mail set next_check_at = now() where status = 'pending'`);
  const sender = createMailSender({ url: mails.url, from: { name: '', address: 'pay@example.com' } });
  t.teardown(() => sender.close());
  await sendMails(withFreshEntityManager(context), { sender, renderers: mailRenderers });
}
