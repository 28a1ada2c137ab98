import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExecutionContext } from 'ava';

/** A receiver that answers 200, either at once or when the test lets go of what it holds. */
export interface HoldingReceiver {
  url: string;
  /** Requests that wait for their answer now. */
  readonly held: number;
  /** The most that waited at one moment. */
  readonly mostHeld: number;
  readonly answered: number;
  /** From now on it answers nothing. */
  hold(): void;
  /** Answers what is held, or so many of it, the oldest first, and goes on holding what comes. */
  release(count?: number): void;
  /** Answers what is held, and from now on at once. */
  answerAll(): void;
}

export async function startHoldingReceiver(t: ExecutionContext): Promise<HoldingReceiver> {
  const held = new Set<ServerResponse>();
  let isHolding = false;
  let mostHeld = 0;
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
      mostHeld = Math.max(mostHeld, held.size);
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
    get mostHeld() {
      return mostHeld;
    },
    get answered() {
      return answered;
    },
    hold() {
      isHolding = true;
    },
    release(count = held.size) {
      for (const response of [...held].slice(0, count)) answer(response);
    },
    answerAll() {
      isHolding = false;
      for (const response of [...held]) answer(response);
    },
  };
}
