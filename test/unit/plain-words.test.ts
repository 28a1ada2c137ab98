import { readContract, type Schema, schemasIn } from '@tillhook/openapi';
import { plainWords, valueAt } from '@tillhook/openapi/rules/plain-words';
import { validationErrorOf } from '@tillhook/openapi/rules/problems';
import test from 'ava';
import fc from 'fast-check';
import { problemsIn } from '../../mock/src/requests/request-check.ts';
import { createSchemas } from '../../mock/src/requests/schemas.ts';
import { mistakesOf, validValue, wrongValues } from '../support/calls/schema-arbitraries.ts';

const { document, model } = readContract();
const schemas = createSchemas(document);

/** Rules whose message `validationErrorOf` does not take from the validator. */
const elsewhere = ['required', 'additionalProperties'];

const said: [rule: string, message: string, value: unknown, words: string][] = [
  ['maxItems', 'must NOT have more than 50 items', Array(51).fill(1), 'has 51 items; at most 50 are allowed'],
  ['maxItems', 'must NOT have more than 1 items', [1, 2], 'has 2 items; at most 1 is allowed'],
  ['minItems', 'must NOT have fewer than 1 items', [], 'must not be empty'],
  ['minItems', 'must NOT have fewer than 2 items', [1], 'has 1 item; at least 2 are needed'],
  ['maxLength', 'must NOT have more than 2 characters', '𝔸𝔸𝔸', 'has 3 characters; at most 2 are allowed'],
  ['minLength', 'must NOT have fewer than 6 characters', 'a', 'has 1 character; at least 6 are needed'],
  ['maxLength', 'must NOT have more than 40 characters', undefined, 'must have at most 40 characters'],
  ['maxProperties', 'must NOT have more than 1 properties', { a: 1, b: 2 }, 'has 2 fields; at most 1 is allowed'],
  ['minProperties', 'must NOT have fewer than 1 properties', {}, 'must have at least 1 field'],
  ['minimum', 'must be >= 1', 0, 'must be at least 1'],
  ['maximum', 'must be <= 999999999999', 1e12, 'must be at most 999999999999'],
  ['enum', 'must be equal to one of the allowed values: NGN, USD', 'x', 'must be one of: NGN, USD'],
  ['type', 'must be integer', 'x', 'must be a whole number'],
  ['type', 'must be string,null', 1, 'must be a string or null'],
  ['format', 'must match format "uuid"', 'x', 'must be a UUID'],
  ['pattern', 'must match pattern "^a$"', 'x', 'is not written as it must be'],
  ['pattern', 'must match pattern "^[^\\u0000]*$"', '\0', 'must not contain U+0000'],
  ['toString', 'must be new', 'x', 'must be new'],
];

for (const [rule, message, value, words] of said) {
  test(`the problem of the rule ${rule}, "${message}", is worded "${words}"`, (t) => {
    t.is(plainWords({ rule, message }, value), words);
  });
}

test('no problem of a body is reported in the words of the validator', (t) => {
  const raw = model.operations.flatMap(({ id, body }) => (body ? rawWords(body.schema).map((one) => [id, one]) : []));

  t.deepEqual(raw, []);
});

test('no problem of a parameter is reported in the words of the validator', (t) => {
  const parameters = model.operations.flatMap((operation) => operation.parameters);
  const raw = parameters.flatMap(({ schema }) => {
    const wrong = wrongValues(schema).map(([, value]) => value);
    return wrong.flatMap((value) => rawIn(schema, value));
  });

  t.deepEqual(raw, []);
  t.true(parameters.length > 100);
});

function* schemasOfRequests(): Generator<{ schema: Schema; place: string }> {
  const inside = function* (schema: Schema, place: string): Generator<{ schema: Schema; place: string }> {
    yield { schema, place };
    for (const child of schemasIn(schema)) yield* inside(child, `${place} ${child.pointer}`);
  };
  for (const { id, body, parameters } of model.operations) {
    if (body) yield* inside(body.schema, id);
    for (const parameter of parameters) yield* inside(parameter.schema, `${id} ${parameter.name}`);
  }
}

test('every `pattern` in a request schema has an error message in plain words', (t) => {
  const patterned = [...schemasOfRequests()].filter(({ schema }) => schema.pattern !== undefined);
  const wordless = patterned.filter(({ schema }) => {
    const words = plainWords({ rule: 'pattern', message: `must match pattern "${schema.pattern}"` }, 'x');
    return schema['x-pattern-message'] === undefined && words === 'is not written as it must be';
  });

  t.deepEqual(
    wordless.map(({ place }) => place),
    [],
  );
  t.true(patterned.length > 80, `only ${patterned.length} patterns were found`);
});

test('no error message contains a pattern, whatever the place of the value', (t) => {
  const errors = model.operations.flatMap((operation) => {
    const { parameters, body } = operation;
    const places = { query: 'query', path: 'path', header: 'headers' } as const;
    const inParameters = parameters.flatMap(({ name, in: place, schema }) =>
      wrongValues(schema).flatMap(([, value]) =>
        problemsIn(schemas.ofJson(schema.pointer), value).map((problem) => ({
          ...problem,
          part: places[place],
          pointer: `/${name}${problem.pointer}`,
        })),
      ),
    );
    const inBody = body ? problemsOfBody(body.schema) : [];
    return [...inParameters, ...inBody]
      .filter(({ rule }) => rule === 'pattern')
      .map((problem) => validationErrorOf([{ ...problem, message: plainWords(problem, '') }], operation));
  });

  const unclear = errors.filter(({ message }) => /pattern|[\\^$]|is not written as it must be/.test(message));
  t.deepEqual([...new Set(unclear.map(({ message }) => message))], []);
  t.true(errors.length > 100, `only ${errors.length} errors were made`);
});

function problemsOfBody(schema: Schema) {
  const [valid] = fc.sample(validValue(schema), { seed: 1042, numRuns: 1 });
  return mistakesOf(schema).flatMap(({ apply }) => problemsIn(schemas.ofJson(schema.pointer), apply(valid)));
}

test('valueAt returns the value at a JSON pointer, or undefined', (t) => {
  const body = { 'a/b': [{ 'c~d': 'x' }] };

  t.is(valueAt(body, '/a~1b/0/c~0d'), 'x');
  t.is(valueAt(body, '/a~1b/1/c'), undefined);
  t.is(valueAt(body, '/toString'), undefined);
  t.is(valueAt(body, ''), body);
});

function rawWords(schema: Schema): string[] {
  const [valid] = fc.sample(validValue(schema), { seed: 1042, numRuns: 1 });
  const mistakes = mistakesOf(schema);
  return mistakes.flatMap(({ apply }) => rawIn(schema, apply(valid)));
}

function rawIn(schema: Schema, value: unknown): string[] {
  return problemsIn(schemas.ofJson(schema.pointer), value)
    .filter(({ rule }) => !elsewhere.includes(rule))
    .filter(({ rule, message, pointer }) => plainWords({ rule, message }, valueAt(value, pointer)) === message)
    .map(({ rule, message }) => `${rule}: ${message}`);
}
