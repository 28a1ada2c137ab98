import type { Model, ModelContent, ModelOperation } from '@tillhook/openapi';
import { UserError } from '../listening.ts';
import type { Schemas } from '../requests/schemas.ts';
import type { SeededList } from './seeds.ts';

/** Throws when examples of the contract do not fit their schemas, because the mock would answer with them. */
export function checkExamples(model: Model, schemas: Schemas): void {
  const seen = new Set<unknown>();
  const wrongExamples = placesIn(model).flatMap(({ name: place, pointer, examples }) =>
    examples.flatMap(({ name, value }) => {
      // An example may occur several times, and is checked only once.
      if (value === undefined || seen.has(value)) return [];
      if (typeof value === 'object') seen.add(value);
      const validate = schemas.ofJson(pointer);
      if (validate(value)) return [];
      const problems = (validate.errors ?? []).map((error) => `${error.instancePath || 'it'} ${error.message}`);
      return [`${place}, example ${name}: ${problems.join('; ')}`];
    }),
  );
  if (wrongExamples.length > 0)
    throw new UserError(`The contract has examples that do not fit their schemas.\n  ${wrongExamples.join('\n  ')}`);
}

interface Place {
  name: string;
  pointer: string;
  examples: { name: string; value: unknown }[];
}

function placesIn(model: Model): Place[] {
  return [
    ...model.operations.flatMap((operation) => [
      ...placeOf(`${operation.id} request`, operation.body),
      ...parametersOf(operation, model),
      ...[...operation.answers].flatMap(([status, { content }]) => placeOf(`${operation.id} ${status}`, content)),
    ]),
    ...model.webhooks.flatMap(({ name, body }) => placeOf(name, body)),
  ];
}

function placeOf(name: string, content: ModelContent | null): Place[] {
  return content ? [{ name, pointer: content.schema.pointer, examples: [...content.examples.values()] }] : [];
}

function parametersOf({ id, parameters }: ModelOperation, { mockExamples }: Model): Place[] {
  return parameters.map(({ name: parameter, schema, example }) => ({
    name: `${id} ${parameter}`,
    pointer: schema.pointer,
    examples: [
      { name: 'basic', value: example },
      ...[...(mockExamples.get(parameter) ?? [])].map(([name, value]) => ({ name, value })),
    ],
  }));
}

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

/** Returns a function that says whether the contract has an example record of this name. */
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
    // The answer has records of the last collection in the path: `/payments/{reference}/refunds` answers with refunds.
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

function collect(value: unknown, key: string | undefined, into: Set<unknown>): void {
  if (value === null || typeof value !== 'object') return;
  for (const [name, child] of Object.entries(value)) {
    if (name === key && typeof child === 'string') into.add(child);
    else collect(child, key, into);
  }
}
