import { deprecationAt, deprecationKeys } from './deprecation.ts';
import type { ModelAnswer, ModelBody, ModelContent, ModelExample, ModelHeader, ModelParameter } from './model.ts';
import {
  at,
  entriesOf,
  follow,
  isFlag,
  isOneOf,
  isText,
  knowOnly,
  optional,
  type Place,
  refOf,
  required,
} from './place.ts';
import { type ReadSchema, schemaReader } from './read-schema.ts';

export interface PartReader {
  schema: ReadSchema;
  parameter(place: Place): ModelParameter;
  header(place: Place): ModelHeader;
  answer(place: Place): ModelAnswer;
  body(place: Place): ModelBody;
}

export function partReader(): PartReader {
  const schema = schemaReader();
  const header = readOnce((place) => headerAt(place, schema));
  return {
    schema,
    header,
    parameter: readOnce((place) => parameterAt(place, schema)),
    answer: readOnce((place) => answerAt(place, { schema, header })),
    body: readOnce((place) => bodyAt(place, schema)),
  };
}

/** Reads the target of a `$ref` once, so that all references share one object. */
function readOnce<Value>(read: (place: Place) => Value): (place: Place) => Value {
  const byRef = new Map<string, Value>();
  const readPlace = (place: Place): Value => {
    const ref = refOf(place);
    if (ref === undefined) return read(place);
    knowOnly(place, ['$ref']);
    const value = byRef.get(ref) ?? readPlace(follow(place, ref));
    byRef.set(ref, value);
    return value;
  };
  return readPlace;
}

export function mapOf<Value>(place: Place, read: (place: Place, key: string) => Value): Map<string, Value> {
  return new Map(entriesOf(place).map(([key, one]) => [key, read(one, key)]));
}

export function textAt(place: Place, key: string): string {
  return optional(at(place, key), isText, '');
}

function parameterAt(place: Place, schema: ReadSchema): ModelParameter {
  // The released contract has `allowReserved`, which lint rules forbid in the present contract.
  const known = ['name', 'in', 'required', 'description', 'style', 'explode', 'schema', 'example', 'allowReserved'];
  // The model leaves out `style` and `explode`, because lint rules require their defaults for lists.
  knowOnly(place, [...known, ...deprecationKeys]);
  return {
    deprecation: deprecationAt(place),
    name: required(at(place, 'name'), isText),
    in: required(at(place, 'in'), isOneOf(['path', 'query', 'header'])),
    ...describedAt(place, schema),
  };
}

function headerAt(place: Place, schema: ReadSchema): ModelHeader {
  knowOnly(place, ['required', 'description', 'schema', 'example']);
  return describedAt(place, schema);
}

function describedAt(place: Place, schema: ReadSchema): ModelHeader {
  return {
    description: textAt(place, 'description'),
    isRequired: optional(at(place, 'required'), isFlag, false),
    schema: schema(at(place, 'schema')),
    example: at(place, 'example').value,
  };
}

function answerAt(place: Place, { schema, header }: Pick<PartReader, 'schema' | 'header'>): ModelAnswer {
  // The model omits `links`: only readers of the document need to know which operation takes a value of a response.
  knowOnly(place, ['description', 'headers', 'content', 'links']);
  const content = at(place, 'content');
  return {
    description: textAt(place, 'description'),
    headers: mapOf(at(place, 'headers'), header),
    content: content.value === undefined ? null : jsonAt(content, schema, ['text/csv']),
    csv: at(content, 'text/csv').value === undefined ? null : mediaAt(at(content, 'text/csv'), schema),
  };
}

function bodyAt(place: Place, schema: ReadSchema): ModelBody {
  knowOnly(place, ['description', 'required', 'content']);
  return { isRequired: optional(at(place, 'required'), isFlag, false), ...jsonAt(at(place, 'content'), schema) };
}

/** Choice: only JSON is supported, and CSV in responses, because the contract uses no other media type. */
function jsonAt(place: Place, schema: ReadSchema, others: readonly string[] = []): ModelContent {
  knowOnly(place, ['application/json', ...others]);
  return mediaAt(at(place, 'application/json'), schema);
}

function mediaAt(place: Place, schema: ReadSchema): ModelContent {
  knowOnly(place, ['schema', 'examples']);
  return { schema: schema(at(place, 'schema')), examples: mapOf(at(place, 'examples'), exampleAt) };
}

function exampleAt(place: Place, name: string): ModelExample {
  knowOnly(place, ['summary', 'value', 'x-internal']);
  return {
    name,
    summary: optional(at(place, 'summary'), isText, name),
    value: at(place, 'value').value,
    isInternal: optional(at(place, 'x-internal'), isFlag, false),
  };
}
