/**
 * Like a test card's number, a magic input selects a response example. The magic inputs of a body are the values by
 * which a request example differs from the first request example. They select the response example of the same name.
 */
import type { Model, ModelOperation, ModelParameter } from '@tillhook/openapi';
import type { Checked } from '../requests/request-check.ts';

export interface MagicInput {
  name: string;
  status: number;
  conditions: Condition[];
}

interface Condition {
  in: 'body' | ModelParameter['in'];
  keys: string[];
  value: unknown;
}

export function magicInputsOf(operation: ModelOperation, { mockExamples }: Model): MagicInput[] {
  const { body, parameters } = operation;
  const [first, ...others] = body?.examples.values() ?? [];
  const ofBody = others.map(({ name, value }) => ({ name, conditions: differences(first?.value, value) }));
  const ofParameters = parameters.flatMap(({ name: key, in: place }) =>
    [...(mockExamples.get(key) ?? [])].map(([name, value]) => ({
      name,
      conditions: [{ in: place, keys: [place === 'header' ? key.toLowerCase() : key], value }],
    })),
  );
  return [...ofBody, ...ofParameters].flatMap(({ name, conditions }) => {
    const status = statusWith(operation, name);
    return status === undefined || conditions.length === 0 ? [] : [{ name, status, conditions }];
  });
}

export function magicIn(inputs: readonly MagicInput[], request: Checked): MagicInput | undefined {
  return inputs.find(({ conditions }) =>
    conditions.every(({ in: place, keys, value }) => String(valueAt(placeIn(request, place), keys)) === String(value)),
  );
}

function differences(first: unknown, value: unknown, keys: string[] = []): Condition[] {
  if (value === null || typeof value !== 'object') return first === value ? [] : [{ in: 'body', keys, value }];
  return Object.entries(value).flatMap(([key, child]) => differences(valueAt(first, [key]), child, [...keys, key]));
}

function statusWith({ answers }: ModelOperation, example: string): number | undefined {
  return [...answers].find(([, { content }]) => content?.examples.has(example))?.[0];
}

function placeIn({ body, path, query, headers }: Checked, place: Condition['in']): unknown {
  return { body, path, query, header: headers }[place];
}

function valueAt(value: unknown, [key, ...rest]: string[]): unknown {
  if (key === undefined) return value;
  if (value === null || typeof value !== 'object') return undefined;
  return valueAt((value as Record<string, unknown>)[key], rest);
}
