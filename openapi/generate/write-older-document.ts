/** The OpenAPI 3.0 document is for tools that do not read 3.1. It has no webhooks, only the schemas of their bodies. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Converter } from '@apiture/openapi-down-convert';
import { isRecord } from '../model/place.ts';
import { parseContract } from '../model/read-contract.ts';
import { documentForOthers, usedComponents } from './served-document.ts';

const file = new URL('../generated/openapi-3.0.json', import.meta.url);
const { document } = parseContract(fileURLToPath(new URL('../openapi.yaml', import.meta.url)));
const converted = new Converter(asIn30(withoutWebhooks(documentForOthers(document))) as object, {}).convert();
const text = `${JSON.stringify(converted, null, 1)}\n`;
if (!process.argv.includes('--check')) writeFileSync(file, text);
else if (readFileSync(file, 'utf8') !== text) throw new Error('generated/openapi-3.0.json is out of date.');

function withoutWebhooks(whole: object): object {
  const { webhooks: _left, components, ...rest } = whole as Record<string, Record<string, Record<string, unknown>>>;
  return { ...rest, components: usedComponents(components ?? {}, rest) };
}

/** Removes what OpenAPI 3.0 lacks and the converter keeps: text beside a `$ref`, `info.summary`, `contentSchema`. */
function asIn30(node: unknown, path: readonly string[] = []): unknown {
  if (Array.isArray(node)) return node.map((child) => asIn30(child));
  if (!isRecord(node)) return node;
  if (typeof node.$ref === 'string') return { $ref: node.$ref };
  const isLeftOut = (key: string) =>
    /^content(MediaType|Schema)$/.test(key) || (key === 'summary' && path.join() === 'info');
  const kept = Object.entries(node).filter(([key]) => !isLeftOut(key));
  return Object.fromEntries(kept.map(([key, child]) => [key, asIn30(child, [...path, key])]));
}
