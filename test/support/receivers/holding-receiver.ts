import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExecutionContext } from 'ava';

/** After `hold`, the receiver answers only when the test calls `answerAll`. */
export interface HoldingReceiver {
  url: string;
  readonly held: number;
  readonly answered: number;
  hold(): void;
  /** The receiver answers later requests immediately. */
  answerAll(): void;
}

export async function startHoldingReceiver(t: ExecutionContext): Promise<HoldingReceiver> {
  const held = new Set<ServerResponse>();
  let isHolding = false;
  let answered = 0;

  function answer(response: ServerResponse): void {
    held.delete(response);
    answered += 1;
    response.end('ok');
  }

  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      if (!isHolding) return answer(response);
      held.add(response);
      response.on('close', () => held.delete(response));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get held() {
      return held.size;
    },
    get answered() {
      return answered;
    },
    hold() {
      isHolding = true;
    },
    answerAll() {
      isHolding = false;
      for (const response of [...held]) answer(response);
    },
  };
}

export async function startHangingReceiver(t: ExecutionContext): Promise<HoldingReceiver> {
  const receiver = await startHoldingReceiver(t);
  receiver.hold();
  return receiver;
}
