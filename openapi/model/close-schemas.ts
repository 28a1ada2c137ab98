import { isRecord } from './place.ts';

/**
 * Tests validate against this copy, which allows no undocumented fields or values. Clients must accept unknown fields.
 * See docs/decisions/contract.md, "Answers are open for clients and closed in tests".
 */
export function closeSchemas(document: object): object {
  return closedNode(document) as object;
}

function closedNode(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closedNode);
  if (!isRecord(node)) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([key, child]) => [key, closedChild(key, child)]));
  return { ...copy, ...closedFields(node), ...closedValues(node) };
}

/** Leaves examples unchanged, because examples are values and not schemas. */
function closedChild(key: string, child: unknown): unknown {
  return key === 'example' || key === 'examples' ? child : closedNode(child);
}

function closedFields({ type, properties, additionalProperties }: Record<string, unknown>): object {
  const isObject = [type].flat().includes('object') && isRecord(properties);
  return isObject && additionalProperties === undefined ? { additionalProperties: false } : {};
}

/** An enum with `x-also-from` stays extensible, because processors or operators choose some of its values. */
function closedValues({ type, 'x-extensible-enum': values, 'x-also-from': others }: Record<string, unknown>): object {
  if (!isRecord(values) || others !== undefined) return {};
  return { enum: [...Object.keys(values), ...([type].flat().includes('null') ? [null] : [])] };
}
