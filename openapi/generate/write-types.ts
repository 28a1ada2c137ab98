/** An extensible enum has the type `'a' | (string & {})`: editors suggest values; the compiler accepts any string. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import openapiTS, {
  astToString,
  COMMENT_HEADER,
  NULL,
  type OpenAPI3,
  oapiRef,
  type SchemaObject,
  STRING,
  tsIntersection,
  tsLiteral,
  tsUnion,
} from 'openapi-typescript';
import ts from 'typescript';
import { isRecord } from '../model/place.ts';
import { parseContract } from '../model/read-contract.ts';

const file = new URL('../generated/contract.ts', import.meta.url);
const { document } = parseContract(fileURLToPath(new URL('../openapi.yaml', import.meta.url)));
const nodes = await openapiTS(forTypes(document) as OpenAPI3, {
  defaultNonNullable: false,
  emptyObjectsUnknown: true,
  rootTypes: true,
  transform: (schema) => openCode(schema) ?? listOrText(schema),
});
const text = `${COMMENT_HEADER}${astToString(nodes)}`;
if (!process.argv.includes('--check')) writeFileSync(file, text);
else if (readFileSync(file, 'utf8') !== text) throw new Error('generated/contract.ts is out of date.');

/** Removes operationIds of webhooks, which clients cannot call, and discriminators, which would alter descriptions. */
function forTypes(node: unknown, path: readonly string[] = []): unknown {
  if (Array.isArray(node)) return node.map((child) => forTypes(child, path));
  if (!isRecord(node)) return node;
  const kept = Object.entries(node).filter(
    ([key]) => key !== 'discriminator' && !(key === 'operationId' && path[0] === 'webhooks'),
  );
  return Object.fromEntries(kept.map(([key, child]) => [key, forTypes(child, [...path, key])]));
}

function openCode(schema: SchemaObject): ts.TypeNode | undefined {
  const { type, 'x-extensible-enum': values, 'x-also-from': others } = schema as Readonly<Record<string, unknown>>;
  if (!isRecord(values) || others !== undefined) return undefined;
  const anyOther = tsIntersection([STRING, ts.factory.createTypeLiteralNode([])]);
  const isNullable = [type].flat().includes('null');
  return tsUnion([...Object.keys(values).map(tsLiteral), anyOther, ...(isNullable ? [NULL] : [])]);
}

function listOrText(schema: SchemaObject): ts.TypeNode | undefined {
  const { items, 'x-also-as-text': isTakenAsText } = schema as Readonly<Record<string, unknown>>;
  if (isTakenAsText !== true || !isRecord(items)) return undefined;
  return tsUnion([ts.factory.createArrayTypeNode(oapiRef(String(items.$ref))), STRING]);
}
