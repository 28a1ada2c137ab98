import type { Model, ModelContent, ModelOperation } from '@tillhook/openapi';
import { UserError } from './command.ts';
import type { Schemas } from './schemas.ts';

/**
 * Throws if examples of the contract do not fit their schemas, because the mock would give wrong answers. Names all of
 * them.
 */
export function checkExamples(model: Model, schemas: Schemas): void {
  const seen = new Set<unknown>();
  const faults = placesIn(model).flatMap(({ name: place, pointer, examples }) =>
    examples.flatMap(({ name, value }) => {
      // An example that is used in several places is checked once.
      if (value === undefined || seen.has(value)) return [];
      if (typeof value === 'object') seen.add(value);
      const validate = schemas.ofJson(pointer);
      if (validate(value)) return [];
      const problems = (validate.errors ?? []).map((error) => `${error.instancePath || 'it'} ${error.message}`);
      return [`${place}, example ${name}: ${problems.join('; ')}`];
    }),
  );
  if (faults.length > 0)
    throw new UserError(`The contract has examples that do not fit their schemas.\n  ${faults.join('\n  ')}`);
}

interface Place {
  /** The name of the place in messages. */
  name: string;
  /** The pointer to its schema. */
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
