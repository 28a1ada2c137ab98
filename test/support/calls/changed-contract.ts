import { type Model, readContract, readModel, withDeprecationHeaders } from '@tillhook/openapi';

interface ChangedContract {
  document: object;
  model: Model;
}

/** If the last key is `-`, the value is appended to a list, as in JSON Patch. */
type Keys = readonly [string, ...string[]];

export type Change = readonly [keys: Keys, value: unknown];

export function changedContract(...changes: readonly Change[]): ChangedContract {
  const changed = structuredClone(readContract().document);
  for (const [keys, value] of changes) put(changed, keys, value);
  const document = withDeprecationHeaders(changed);
  return { document, model: readModel({ document, lineOf: () => 'openapi.yaml:0' }) };
}

function put(node: object, [key, ...rest]: Keys, value: unknown): void {
  const [next, ...others] = rest;
  if (next !== undefined) put(Reflect.get(node, key), [next, ...others], value);
  else if (Array.isArray(node) && key === '-') node.push(value);
  else Reflect.set(node, key, value);
}

export function valueInContract(...keys: readonly string[]): unknown {
  return keys.reduce<unknown>((node, key) => Reflect.get(Object(node), key), readContract().document);
}
