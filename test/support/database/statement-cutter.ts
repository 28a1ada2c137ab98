/**
 * Stands between the server and its database and cuts a connection at a chosen message, as a crash there would. What was cut is
 * named by its statement, so that a failing test says where it was.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { readStatements } from './statement-reader.ts';

/** What is lost: the statement itself, or only its answer. */
export type Loss = 'statement' | 'answer';

export interface Place {
  /** 1-based number of the message that is cut. The first is the message that matches the last of `from`. */
  message: number;
  loss: Loss;
  /** What a connection sends in this order before its messages are counted; a transaction's `begin` when left out. */
  from?: readonly RegExp[];
  /** Runs at the cut, before anything else can happen, such as to kill the process that was cut off. */
  onCut?: () => void;
}

export interface StatementCutter {
  /** The same address, reached through this proxy. */
  reach(url: string): string;
  /** Cuts the next connection that comes to this place. */
  cutAt(place: Place): void;
  /** What was cut, as soon as it was. */
  readonly cut: string | undefined;
  /** Forgets what was asked and says what was cut, if anything was. */
  disarm(): string | undefined;
}

interface Armed extends Place {
  left: number;
  from: readonly RegExp[];
}

const transaction = [/^begin\b/i];

export async function startStatementCutter(target: URL): Promise<StatementCutter> {
  let armed: Armed | undefined;
  let cut: string | undefined;

  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    const read = readStatements();
    /** The place that is looked for, and how many statements of its `from` this connection has sent. */
    let progress: { to: Armed; seen: number } | undefined;
    let losesAnswer = false;

    /** Counts one message and gives the place, if this is it. */
    function placeAt(statement: string): Armed | undefined {
      if (!armed) return undefined;
      if (progress?.to !== armed) progress = { to: armed, seen: 0 };
      if (progress.seen < armed.from.length && armed.from[progress.seen]?.test(statement)) progress.seen += 1;
      if (progress.seen < armed.from.length || --armed.left > 0) return undefined;
      return armed;
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
      losesAnswer = place !== undefined;
      if (place) {
        lost = { place, statement };
        armed = undefined;
      }
      far.write(bytes);
    });
    far.on('data', (bytes) => {
      if (losesAnswer && lost) cutOff(lost.place, lost.statement);
      else near.write(bytes);
    });
    endTogether(near, far);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    reach(address) {
      const url = new URL(address);
      url.host = `127.0.0.1:${port}`;
      return url.href;
    },
    cutAt(place) {
      armed = { ...place, left: place.message, from: place.from ?? transaction };
      cut = undefined;
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
