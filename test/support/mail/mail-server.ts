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
}

interface Answers {
  /** Returns the answer to a recipient; undefined accepts. */
  toRecipient?: (address: string) => SmtpAnswer | undefined;
  /** Returns the answer to the content of the nth mail, from 0; `drop` ends the connection without an answer. */
  toContent?: (index: number) => SmtpAnswer | 'drop' | undefined;
}

export interface SmtpAnswer {
  code: number;
  text: string;
}

export async function startMailServer({ toRecipient, toContent }: Answers = {}): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const errorOf = ({ code, text }: SmtpAnswer) => Object.assign(new Error(text), { responseCode: code });
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    logger: false,
    onRcptTo({ address }, _session, done) {
      const answer = toRecipient?.(address);
      done(answer && errorOf(answer));
    },
    async onData(stream, session, done) {
      const source = Buffer.concat(await stream.toArray()).toString('utf8');
      const answer = toContent?.(received.length);
      received.push({ recipient: session.envelope.rcptTo[0]?.address ?? '', source });
      if (answer !== 'drop') return done(answer && errorOf(answer));
      for (const connection of server.connections) connection._socket.destroy();
    },
  });
  server.on('error', () => {});
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as { port: number };
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
