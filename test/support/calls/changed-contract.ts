import { type Model, readContract, readModel } from '@tillhook/openapi';

interface ChangedContract {
  document: object;
  model: Model;
}

/** Keys that lead to a value of the document. `-` after those of a list is its end, as in a JSON patch. */
type Keys = readonly [string, ...string[]];

/** Where, and what stands there instead. */
export type Change = readonly [keys: Keys, value: unknown];

/** The contract with other values in some places. */
export function changedContract(...changes: readonly Change[]): ChangedContract {
  const document = structuredClone(readContract().document);
  for (const [keys, value] of changes) put(document, keys, value);
  return { document, model: readModel({ document, lineOf: () => 0 }) };
}

function put(node: object, [key, ...rest]: Keys, value: unknown): void {
  const [next, ...others] = rest;
  if (next !== undefined) put(Reflect.get(node, key), [next, ...others], value);
  else if (Array.isArray(node) && key === '-') node.push(value);
  else Reflect.set(node, key, value);
}

/** The value to which keys lead in the contract. */
export function valueInContract(...keys: readonly string[]): unknown {
  return keys.reduce<unknown>((node, key) => Reflect.get(Object(node), key), readContract().document);
}
