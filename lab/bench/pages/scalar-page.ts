/** Serves a page of Scalar with the settings of its quick start, compressed with gzip and without web fonts. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { readContract } from '@tillhook/openapi';

const entry = createRequire(import.meta.url).resolve('@scalar/api-reference');
const script = readFileSync(entry.replace(/dist.index\.js$/, 'dist/browser/standalone.js'));
const page = `<!doctype html><html><head><title>API Reference</title><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"></head><body><div id="app"></div>
<script src="/scalar.js"></script>
<script>Scalar.createApiReference('#app', {url: '/openapi.json', withDefaultFonts: false, telemetry: false})</script></body></html>`;

const answers: Record<string, [type: string, packed: Buffer]> = {
  '/': ['text/html', gzipSync(page)],
  '/scalar.js': ['text/javascript', gzipSync(script)],
  '/openapi.json': ['application/json', gzipSync(JSON.stringify(readContract().document))],
};
const server = createServer(({ url = '/' }, response) => {
  const [type, packed] = answers[url] ?? [];
  if (!type) return response.writeHead(404).end();
  response.writeHead(200, { 'content-type': type, 'content-encoding': 'gzip' }).end(packed);
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
