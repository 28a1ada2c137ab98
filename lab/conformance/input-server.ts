/** Each answer to hooks.py has a new merchant, so that no earlier request has removed or revoked its rows. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { type OperationId, readContract } from '@tillhook/openapi';
import type { Role } from '@tillhook/server/src/kit/permissions.ts';
import { type Input, realInputs } from '@tillhook/test/support/calls/real-inputs.ts';
import type { TestMerchant, TestServer } from '@tillhook/test/support/server/tillhook.ts';
import { addUser } from '@tillhook/test/support/users/users.ts';

type RequestedInput = Pick<Input, 'query' | 'body'> & { withSession?: boolean };

interface RealInput extends Input {
  key: string;
  session?: string;
}

export async function startInputServer(server: TestServer): Promise<{ url: string; stop(): void }> {
  const inputs = createServer((request, response) => {
    realInputFor(server, request).then(
      (real) => response.end(JSON.stringify(real, (_name, value) => value ?? null)),
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

const roles = new Map(readContract().model.operations.map(({ id, roles: [first] }) => [id, first]));

async function realInputFor(server: TestServer, request: IncomingMessage): Promise<RealInput> {
  const operation = request.url?.slice(1) as OperationId;
  const { withSession, ...requested } = (await json(request)) as RequestedInput;
  const merchant = await server.createMerchant();
  const session = withSession ? await openSession(server, merchant, roles.get(operation)) : undefined;
  const real = await realInputs[operation]({ server, merchant, ...requested });
  return { ...real, key: merchant.testKey, ...(session && { session }) };
}

async function openSession(server: TestServer, merchant: TestMerchant, role: Role | undefined): Promise<string> {
  const email = await addUser(server, merchant, role);
  return (await server.arrange('openSession', { email })).token;
}
