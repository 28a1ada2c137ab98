import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** What is lost: the statement itself, or only its answer. */
export type Loss = 'statement' | 'answer';

export interface StatementCutter {
  /** The same address, reached through this proxy. */
  reach(url: string): string;
  /** Cuts the connection of the next transaction at its n-th message, counted from 1, which is its `begin`. */
  cutAt(message: number, loss: Loss): void;
  /** Forgets what was asked and says whether it happened. */
  disarm(): boolean;
}

/** Stands between the server and its database and cuts a transaction at a chosen place, as a crash there would. */
export async function startStatementCutter(target: URL): Promise<StatementCutter> {
  let armed: { left: number; loss: Loss } | undefined;
  let hasCut = false;

  /** Counts one message and says what is lost with it, if anything. */
  function lossNow(): Loss | undefined {
    if (!armed || --armed.left > 0) return undefined;
    const { loss } = armed;
    armed = undefined;
    return loss;
  }

  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    let isInTransaction = false;
    let losesAnswer = false;
    const cut = () => {
      hasCut = true;
      near.destroy();
      far.destroy();
    };
    near.on('data', (bytes) => {
      if (armed && isBegin(bytes)) isInTransaction = true;
      const loss = isInTransaction ? lossNow() : undefined;
      if (loss === 'statement') return cut();
      losesAnswer = loss === 'answer';
      far.write(bytes);
    });
    far.on('data', (bytes) => (losesAnswer ? cut() : near.write(bytes)));
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
    cutAt(message, loss) {
      armed = { left: message, loss };
      hasCut = false;
    },
    disarm() {
      armed = undefined;
      return hasCut;
    },
  };
}

const isBegin = (bytes: Buffer) => /\bbegin\b/i.test(bytes.toString('latin1'));

function endTogether(near: Socket, far: Socket): void {
  for (const [one, other] of [
    [near, far],
    [far, near],
  ] as const) {
    one.on('error', () => {}).on('close', () => other.destroy());
  }
}
