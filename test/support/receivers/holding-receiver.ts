import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExecutionContext } from 'ava';

/** A receiver that answers 200 at once, or, while it is holding, only when the test tells it to answer. */
export interface HoldingReceiver {
  url: string;
  /** The number of requests that wait for an answer. */
  readonly held: number;
  readonly answered: number;
  /** From now on the receiver holds its answers back. */
  hold(): void;
  /** Sends all answers that were held back, and from now on answers at once. */
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
