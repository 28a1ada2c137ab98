/** A Postfix with its own configuration, queue and mailboxes in a temporary directory. It listens on loopback only. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ParsedMail, simpleParser } from 'mailparser';
import { eventually } from '../eventually.ts';
import { findProgram } from '../programs/installed-programs.ts';

/** Postfix needs root, because it runs its parts as several users. */
export const canRunPostfix = (): boolean => process.getuid?.() === 0 && findProgram('postfix') !== undefined;

export interface Postfix extends AsyncDisposable {
  port: number;
  /** The mails that Postfix has put into the mailbox of `ada@example.com`, the only mailbox. */
  mailbox(): Promise<ParsedMail[]>;
}

interface PostfixSettings {
  host?: string;
  /** Further lines of `main.cf`. */
  lines?: readonly string[];
}

/** Debian's users: Postfix gives a mail to a mailbox as this user. */
const nobody = 65_534;

export async function startPostfix({ host = '127.0.0.1', lines = [] }: PostfixSettings = {}): Promise<Postfix> {
  const home = mkdtempSync(join(tmpdir(), 'tillhook-postfix-'));
  const [config, queue, data, mailboxes] = ['config', 'queue', 'data', 'mailboxes'].map((name) => {
    const directory = join(home, name);
    mkdirSync(directory);
    return directory;
  }) as [string, string, string, string];
  chmodSync(home, 0o755);
  chownSync(data, Number(execFileSync('id', ['-u', 'postfix'])), 0);
  chownSync(mailboxes, nobody, nobody);
  const port = await freePort(host);
  const main = [
    'compatibility_level = 3.6',
    // By TILLHOOK_RUN, `.ci/run` finds the processes of a run that was killed.
    'import_environment = MAIL_CONFIG MAIL_DEBUG MAIL_LOGTAG LANG=C POSTLOG_SERVICE POSTLOG_HOSTNAME TILLHOOK_RUN',
    `queue_directory = ${queue}`,
    `data_directory = ${data}`,
    `maillog_file = ${home}/log`,
    `maillog_file_prefixes = ${home}`,
    `inet_interfaces = ${host}`,
    'myhostname = mail.example.com',
    'mydestination =',
    'mynetworks =',
    'smtpd_relay_restrictions = reject_unauth_destination',
    'virtual_mailbox_domains = example.com',
    'virtual_mailbox_maps = inline:{ada@example.com=ada/}',
    `virtual_mailbox_base = ${mailboxes}`,
    `virtual_uid_maps = static:${nobody}`,
    `virtual_gid_maps = static:${nobody}`,
    ...lines,
  ];
  writeFileSync(join(config, 'main.cf'), `${main.join('\n')}\n`);
  writeFileSync(join(config, 'master.cf'), masterOf(`${host}:${port}`));

  const child = spawn('postfix', ['-c', config, 'start-fg'], { stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const ended = once(child, 'exit').then(() => {
    const log = existsSync(join(home, 'log')) ? readFileSync(join(home, 'log'), 'utf8') : '';
    throw new Error(`Postfix ended: ${errors}${log}`);
  });
  ended.catch(() => {});
  await Promise.race([eventually(() => isListening(host, port), true), ended]);
  const arrived = join(mailboxes, 'ada', 'new');
  return {
    port,
    mailbox: () =>
      Promise.all(
        (existsSync(arrived) ? readdirSync(arrived) : []).map((file) =>
          simpleParser(readFileSync(join(arrived, file))),
        ),
      ),
    async [Symbol.asyncDispose]() {
      // `postfix` waits for the master process, which ends all other parts, and does not pass a signal on to it.
      process.kill(Number(readFileSync(join(queue, 'pid', 'master.pid'), 'utf8')), 'SIGTERM');
      await ended.catch(() => {});
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** The columns: name, type, private, privileged, in a chroot, wakes up, maximum number of processes, program. */
function masterOf(address: string): string {
  const parts = [
    `${address} inet n - n - - smtpd`,
    'pickup unix n - n 60 1 pickup',
    'cleanup unix n - n - 0 cleanup',
    'qmgr unix n - n 300 1 qmgr',
    'tlsmgr unix - - n 1000? 1 tlsmgr',
    'rewrite unix - - n - - trivial-rewrite',
    'bounce unix - - n - 0 bounce',
    'defer unix - - n - 0 bounce',
    'trace unix - - n - 0 bounce',
    'proxymap unix - - n - - proxymap',
    'showq unix n - n - - showq',
    'error unix - - n - - error',
    'retry unix - - n - - error',
    'virtual unix - n n - - virtual',
    'anvil unix - - n - 1 anvil',
    'postlog unix-dgram n - n - 1 postlogd',
  ];
  return `${parts.join('\n')}\n`;
}

async function freePort(host: string): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

function isListening(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host);
    socket.on('connect', () => socket.end(() => resolve(true))).on('error', () => resolve(false));
  });
}
