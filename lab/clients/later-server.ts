/**
 * A proxy that answers like a later version of the service. In its responses, every object has a field, and every open
 * enum a value, that the contract does not list.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Model, readContract, type Schema } from '@tillhook/openapi';

export const laterSuffix = '_of_a_later_version';

export async function startLaterServer(target: string): Promise<{ url: string; stop(): void }> {
  const { model } = readContract();
  const server = createServer((request, response) => {
    forward(request, response, { target, model }).catch((error) => response.destroy(error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, stop: () => server.close() };
}

async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  { target, model }: { target: string; model: Model },
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  // `Connection` and `Upgrade` are hop-by-hop headers, so they are not forwarded. Java sends `Upgrade` to offer HTTP/2.
  const { host, connection, upgrade, 'content-length': _length, ...headers } = request.headers;
  const answer = await fetch(`${target}${request.url}`, {
    method: request.method ?? 'GET',
    headers: headers as Record<string, string>,
    ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
  });
  const schema = schemaOf(model, request, answer.status);
  const body: unknown = await answer.json();
  response.writeHead(answer.status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(schema ? ofLaterVersion(schema, body) : body));
}

function schemaOf({ operations }: Model, { method, url = '' }: IncomingMessage, status: number): Schema | undefined {
  const { pathname } = new URL(url, 'http://localhost');
  const operation = operations.find(
    (one) =>
      one.method.toUpperCase() === method &&
      new RegExp(`^${one.path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`).test(pathname),
  );
  return operation?.answers.get(status)?.content?.schema;
}

function variantOf(schema: Schema, value: unknown): Schema {
  const { oneOf = [], discriminator } = schema;
  if (!discriminator) return schema;
  const ref = discriminator.mapping[String(Object(value)[discriminator.propertyName])];
  return oneOf.find(({ name }) => ref === `#/components/schemas/${name}`) ?? schema;
}

/** Objects with keys that a merchant chose, such as metadata, stay unchanged. */
export function ofLaterVersion(schema: Schema, value: unknown): unknown {
  const { items, properties } = variantOf(schema, value);
  if (typeof value === 'string') return schema['x-extensible-enum'] ? `${value}${laterSuffix}` : value;
  if (Array.isArray(value)) return items ? value.map((item) => ofLaterVersion(items, item)) : value;
  if (value === null || typeof value !== 'object' || !properties) return value;
  const fields = Object.entries(value).map(([name, field]) => {
    const inner = properties[name];
    return [name, inner ? ofLaterVersion(inner, field) : field];
  });
  return { ...Object.fromEntries(fields), addedLater: { since: 'a later version' } };
}
