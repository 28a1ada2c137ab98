/** Receivers of webhooks with the faults of real receivers: late answers, wrong answers, invalid HTTP, or no answer. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freePort } from '@tillhook/test/support/network/free-port.ts';
import * as badAnswers from '@tillhook/test/support/receivers/bad-answers.ts';
import { startRawReceiver } from '@tillhook/test/support/receivers/raw-receiver.ts';
import type { ExecutionContext } from 'ava';

const slowMs = 1000;
const megabyte = 'a'.repeat(1_000_000);

/** A context without a teardown, because the receivers end with this process. */
const t = { teardown() {} } as unknown as ExecutionContext;

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    const [, name] = request.url?.split('/') ?? [];
    if (name === 'slow') setTimeout(() => response.end('ok'), slowMs);
    else if (name === 'large') response.end(megabyte);
    else if (name === 'gone') response.writeHead(410).end();
    else response.writeHead(name === 'busy' ? 503 : 500, { 'Retry-After': '1' }).end('no');
  });
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;

const urls: Record<string, string> = { away: `http://127.0.0.1:${await freePort()}/away` };
for (const name of ['slow', 'large', 'gone', 'busy', 'refusing']) urls[name] = `http://127.0.0.1:${port}/${name}`;
for (const [name, answer] of Object.entries(badAnswers)) {
  const receiver = await startRawReceiver(t, answer);
  urls[name] = `http://127.0.0.1:${receiver.port}/webhooks`;
}
process.send?.(JSON.stringify(urls));
