/**
 * A proxy that closes a connection at a chosen message, as a crash of the server would. It reports the statement of
 * this message, so that a failing test shows where the proxy cut the connection.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { reachThrough } from '../network/cuttable-proxy.ts';
import { readStatements } from './statement-reader.ts';

/** The cut loses the statement, or only the response of Postgres to the statement. */
export type Loss = 'statement' | 'answer';

export interface Place {
  /**
   * The proxy cuts at the message with this number, and counts a statement and its parameters as one message. Message 1
   * matches the last pattern of `from`.
   */
  message: number;
  loss: Loss;
  /** Messages are counted after statements that match these patterns, in this order; by default after a `begin`. */
  from?: readonly RegExp[];
  /** Called synchronously at the cut, for example to kill the process that owns the connection. */
  onCut?: () => void;
}

export interface StatementCutter {
  reach(url: string): string;
  cutAt(place: Place): void;
  readonly messages: readonly string[];
  /** Undefined until the proxy has cut the connection. */
  readonly cut: string | undefined;
  /** Cancels a pending cut. Returns undefined if the proxy has not cut the connection. */
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
    let progress: { to: Armed; seen: number } | undefined;

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
      for (const statement of read(bytes)) {
        const place = placeAt(statement);
        if (place?.loss === 'statement') return cutOff(place, statement);
        if (place) {
          lost = { place, statement };
          armed = undefined;
        }
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
