import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { pipeline } from 'node:stream';
import { reachThrough } from '../network/cuttable-proxy.ts';
import { readStatements } from './statement-reader.ts';

export interface StatementList {
  reach(url: string): string;
  /** The driver waits for each response, so each statement is a round trip. */
  during(work: () => Promise<unknown>): Promise<string[]>;
}

export async function startStatementList(target: URL): Promise<StatementList> {
  let sent: string[] = [];
  const server = createServer((near) => {
    const read = readStatements();
    near.on('data', (bytes) => sent.push(...read(bytes)));
    pipeline(near, connect(Number(target.port), target.hostname), near, () => {});
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    reach: reachThrough(port),
    async during(work) {
      sent = [];
      await work();
      return sent;
    },
  };
}
