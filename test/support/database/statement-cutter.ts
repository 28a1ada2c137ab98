/**
 * A proxy between the server and its database. The proxy closes a connection at a chosen message, as a crash of the
 * server would, and reports the statement of this message, so that a failing test shows where the proxy cut the
 * connection.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { reachThrough } from '../network/cuttable-proxy.ts';
import { readStatements } from './statement-reader.ts';

/**
 * What is lost when the proxy cuts the connection: the statement, or only the response of Postgres to the statement.
 */
export type Loss = 'statement' | 'answer';

export interface Place {
  /** The number of the message at which the proxy cuts. Message 1 matches the last pattern of `from`. */
  message: number;
  loss: Loss;
  /**
   * Patterns of statements that a connection must send, in this order, before the proxy counts its messages. By
   * default, counting starts with the `begin` of a transaction.
   */
  from?: readonly RegExp[];
  /**
   * The proxy calls this function synchronously at the cut, for example to kill the process that owns the connection.
   */
  onCut?: () => void;
}

export interface StatementCutter {
  /** Returns the URL that reaches the same database through this proxy. */
  reach(url: string): string;
  /** Cuts the next connection that reaches this place. */
  cutAt(place: Place): void;
  /** The statements of the messages that were counted since `cutAt`. */
  readonly messages: readonly string[];
  /** Where the proxy cut the connection; undefined until it has. */
  readonly cut: string | undefined;
  /** Cancels a pending cut. Returns where the proxy cut the connection, or undefined if it did not. */
  disarm(): string | undefined;
}

interface Armed extends Place {
  from: readonly RegExp[];
}

const transaction = [/^begin\b/i];

export async function startStatementCutter(target: URL): Promise<StatementCutter> {
  let armed: Armed | undefined;
  let cut: string | undefined;
  let messages: string[] = [];

  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    const read = readStatements();
    /** The place of the cut, and the number of patterns in its `from` that this connection has already matched. */
    let progress: { to: Armed; seen: number } | undefined;

    /** Counts one message. Returns the place if the connection must be cut at this message. */
    function placeAt(statement: string): Armed | undefined {
      if (!armed) return undefined;
      if (progress?.to !== armed) progress = { to: armed, seen: 0 };
      if (armed.from[progress.seen]?.test(statement)) progress.seen += 1;
      if (progress.seen < armed.from.length) return undefined;
      messages.push(statement);
      return messages.length < armed.message ? undefined : armed;
    }

    function cutOff(place: Armed, statement: string) {
      cut = `${place.loss === 'answer' ? 'the answer to ' : ''}message ${place.message}: ${statement}`;
      armed = undefined;
      place.onCut?.();
      near.destroy();
      far.destroy();
    }

    let lost: { place: Armed; statement: string } | undefined;
    near.on('data', (bytes) => {
      const statement = read(bytes);
      const place = placeAt(statement);
      if (place?.loss === 'statement') return cutOff(place, statement);
      if (place) {
        // A long statement arrives in several chunks, and Postgres responds only after the last chunk.
        lost = { place, statement };
        armed = undefined;
      }
      far.write(bytes);
    });
    far.on('data', (bytes) => {
      if (lost) cutOff(lost.place, lost.statement);
      else near.write(bytes);
    });
    endTogether(near, far);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    reach: reachThrough(port),
    cutAt(place) {
      armed = { ...place, from: place.from ?? transaction };
      cut = undefined;
      messages = [];
    },
    get messages() {
      return messages;
    },
    get cut() {
      return cut;
    },
    disarm() {
      armed = undefined;
      return cut;
    },
  };
}

function endTogether(near: Socket, far: Socket): void {
  for (const [one, other] of [
    [near, far],
    [far, near],
  ] as const) {
    one.on('error', () => {}).on('close', () => other.destroy());
  }
}
