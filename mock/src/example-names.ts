/** The ids and references that examples of the contract have. A call may name them although no call has made them. */
import type { Model, ModelOperation } from '@tillhook/openapi';
import type { SeededList } from './seeds.ts';

/** A name in the path of a call, and its place there, such as `refunds/{reference}`. */
export interface PathName {
  place: string;
  name: string;
}

export function namesIn({ path: template }: ModelOperation, path: Record<string, string>): PathName[] {
  return [...template.matchAll(/[\w-]+\/\{(\w+)\}/g)].map(([place, name = '']) => ({
    place,
    name: name === 'id' ? String(path[name]).toLowerCase() : String(path[name]),
  }));
}

/** Returns a function that tells whether an example has the name: in an answer, a list, a parameter or a magic input. */
export function createExampleNames(
  { operations, mockExamples }: Model,
  lists: ReadonlyMap<string, SeededList>,
): (name: PathName) => boolean {
  const names = new Map<string, Set<unknown>>();
  for (const { path, parameters } of operations) {
    for (const [place, parameter = ''] of path.matchAll(/[\w-]+\/\{(\w+)\}/g)) {
      const known = names.get(place) ?? new Set();
      names.set(place, known);
      known.add(parameters.find(({ name }) => name === parameter)?.example);
      for (const name of mockExamples.get(parameter)?.values() ?? []) known.add(name);
    }
  }
  for (const { id, path, success } of operations) {
    // What is answered at `/payments/{reference}/refunds` are refunds.
    const collection = path
      .split('/')
      .findLast((part) => [...names.keys()].some((place) => place.startsWith(`${part}/`)));
    const answers = [...(success.content?.examples.values() ?? [])].map(({ value }) => value);
    for (const [place, known] of names) {
      const [own, parameter] = place.split(/[/{}]+/);
      if (own === collection) collect([...answers, lists.get(id)?.records], parameter, known);
    }
  }
  return ({ place, name }) => names.get(place)?.has(name) ?? false;
}

/** Adds every value that stands under the key, at any depth. */
function collect(value: unknown, key: string | undefined, into: Set<unknown>): void {
  if (value === null || typeof value !== 'object') return;
  for (const [name, child] of Object.entries(value)) {
    if (name === key && typeof child === 'string') into.add(child);
    else collect(child, key, into);
  }
}
