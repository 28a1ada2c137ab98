import { isRecord } from './place.ts';

/**
 * Returns a copy of the contract's document in which responses and events are as closed as requests: objects have only
 * the fields that the document lists, and open codes have only the listed values. Clients must accept unknown fields
 * and values, because a later version may send them. Our tests use the copy to prove that the service sends nothing
 * undocumented.
 * See docs/decisions/contract.md, "Answers are open for clients and closed in tests".
 */
export function closed(document: object): object {
  return closedNode(document) as object;
}

function closedNode(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closedNode);
  if (!isRecord(node)) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([key, child]) => [key, closedChild(key, child)]));
  return { ...copy, ...closedFields(node), ...closedValues(node) };
}

/** Closes only schemas. Examples are values, so they stay unchanged. */
function closedChild(key: string, child: unknown): unknown {
  return key === 'example' || key === 'examples' ? child : closedNode(child);
}

function closedFields({ type, properties, additionalProperties }: Record<string, unknown>): object {
  const isObject = [type].flat().includes('object') && isRecord(properties);
  return isObject && additionalProperties === undefined ? { additionalProperties: false } : {};
}

/**
 * Returns the enum that closes an open code. A code with `x-also-from` stays open, because processors or operators
 * choose some of its values.
 */
function closedValues({ type, 'x-extensible-enum': values, 'x-also-from': others }: Record<string, unknown>): object {
  if (!isRecord(values) || others !== undefined) return {};
  return { enum: [...Object.keys(values), ...([type].flat().includes('null') ? [null] : [])] };
}
