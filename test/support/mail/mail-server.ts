import { once } from 'node:events';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  recipient: string;
  /** The mail as it was sent, with its headers. */
  source: string;
}

export interface MailServer extends AsyncDisposable {
  url: string;
  /** Every mail whose content arrived, also when the server did not accept it. */
  received: ReceivedMail[];
  /** The maximum number of connections that were open at the same time and named the same recipient. */
  maxAtOnce(): number;
}

interface Answers {
  /** Returns the answer to a recipient; undefined accepts, and `nothing` leaves the connection open without an answer. */
  toRecipient?: (address: string) => SmtpAnswer | 'nothing' | undefined;
  /** Returns the answer to the content; undefined accepts, and `drop` ends the connection without an answer. */
  toContent?: (recipient: string) => SmtpAnswer | 'drop' | undefined;
  /** Returns the answer to a password. Without this function the server asks for no password. */
  toPassword?: () => SmtpAnswer | undefined;
}

export interface SmtpAnswer {
  code: number;
  text: string;
}

export async function startMailServer({ toRecipient, toContent, toPassword }: Answers = {}): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const open = new Map<string, Set<string>>();
  let maxAtOnce = 0;
  const errorOf = ({ code, text }: SmtpAnswer) => Object.assign(new Error(text), { responseCode: code });
  const server = new SMTPServer({
    disabledCommands: toPassword ? ['STARTTLS'] : ['AUTH', 'STARTTLS'],
    allowInsecureAuth: true,
    logger: false,
    onAuth({ username }, _session, done) {
      const answer = toPassword?.();
      if (answer) done(errorOf(answer));
      else done(null, { user: username ?? '' });
    },
    onRcptTo({ address }, { id }, done) {
      const connections = open.get(address) ?? new Set();
      open.set(address, connections.add(id));
      maxAtOnce = Math.max(maxAtOnce, connections.size);
      const answer = toRecipient?.(address);
      if (answer !== 'nothing') done(answer && errorOf(answer));
    },
    onClose({ id }) {
      for (const connections of open.values()) connections.delete(id);
    },
    async onData(stream, session, done) {
      const source = Buffer.concat(await stream.toArray()).toString('utf8');
      const recipient = session.envelope.rcptTo[0]?.address ?? '';
      const answer = toContent?.(recipient);
      received.push({ recipient, source });
      if (answer !== 'drop') return done(answer && errorOf(answer));
      for (const connection of server.connections) if (connection.id === session.id) connection._socket.destroy();
    },
  });
  server.on('error', () => {});
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as { port: number };
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    maxAtOnce: () => maxAtOnce,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Returns the link with a token in the plain text of a mail. */
export function linkIn(source: string): URL {
  const text = source
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
  const [link] = /^https?:\S+token=\S+$/m.exec(text) ?? [];
  if (!link) throw new Error(`The mail has no link with a token: ${text}`);
  return new URL(link);
}
