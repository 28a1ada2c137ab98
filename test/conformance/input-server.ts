/**
 * Tells hooks.py what makes a request of schemathesis real: the credentials of a new merchant, and the ids, references and
 * values that `support/real-inputs.ts` arranges for the operation. Each answer is about another merchant, so no request
 * misses what another one removed, archived or revoked.
 */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { type OperationId, operationsOf, readContract } from '@tillhook/openapi';
import { type Input, realInputs } from '../support/real-inputs.ts';
import type { TestServer } from '../support/tillhook.ts';
import { addUser } from '../support/users.ts';

/** What hooks.py asks with: the valid parts of the request that schemathesis made. */
type Asked = Pick<Input, 'query' | 'body'>;

interface RealInput extends Input {
  key: string;
  session: string;
}

export async function startInputServer(server: TestServer): Promise<{ url: string; stop(): void }> {
  const inputs = createServer((request, response) => {
    realInputFor(server, request).then(
      (real) => response.end(JSON.stringify(real)),
      (error) => {
        console.error(error);
        response.writeHead(500).end();
      },
    );
  });
  await new Promise<void>((resolve) => inputs.listen(0, '127.0.0.1', resolve));
  const { port } = inputs.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () => {
      inputs.closeAllConnections();
      inputs.close();
    },
  };
}

/** Of a user who may call the operation. */
const roles = new Map(
  operationsOf(readContract().document).map(({ id, definition }) => [id, definition['x-allowed-roles']?.[0]]),
);

async function realInputFor(server: TestServer, request: IncomingMessage): Promise<RealInput> {
  const operation = request.url?.slice(1) as OperationId;
  const asked = (await json(request)) as Asked;
  const merchant = await server.createMerchant();
  const email = await addUser(server, merchant, roles.get(operation));
  const { token } = await server.arrange('openSession', { email });
  const real = await realInputs[operation]({ server, merchant, ...asked });
  return { ...real, key: merchant.testKey, session: token };
}
