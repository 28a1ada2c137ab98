import {
  at,
  type Check,
  entriesOf,
  follow,
  isFlag,
  isListOf,
  isNumber,
  isOneOf,
  isText,
  isValueOf,
  itemsOf,
  knowOnly,
  type Place,
  refOf,
  wrong,
} from './place.ts';
import { type PlainKeywords, type Scalar, type Schema, type SchemaType, schemaTypes } from './schema.ts';

export type ReadSchema = (place: Place) => Schema;

/**
 * Reads schemas. One that has a name is read once, and shared by all that refer to it. A keyword beside a `$ref` replaces that of
 * the schema that the reference leads to.
 *
 * Choice: a schema that contains itself is refused. The contract has none, and every reader walks a schema to its end.
 */
export function schemaReader(): ReadSchema {
  const byRef = new Map<string, Schema | null>();
  const named = (ref: string, place: Place): Schema => {
    const found = byRef.get(ref);
    if (found) return found;
    if (found === null) throw wrong(place, `leads to ${ref}, which contains itself`);
    byRef.set(ref, null);
    const schema = { ...read(follow(place, ref)), name: ref.split('/').at(-1) ?? '' };
    byRef.set(ref, schema);
    return schema;
  };
  const read: ReadSchema = (place) => {
    const ref = refOf(place);
    if (ref === undefined) {
      knowOnly(place, known);
      return { pointer: place.pointer, ...plainKeywordsAt(place), ...schemasUnder(place, read) };
    }
    knowOnly(place, knownBesideRef);
    const beside = plainKeywordsAt(place);
    return Object.keys(beside).length === 0 ? named(ref, place) : { ...named(ref, place), ...beside };
  };
  return read;
}

function schemasUnder(place: Place, read: ReadSchema) {
  const under = <Value>(key: keyof Schema, readValue: (place: Place) => Value) => {
    const child = at(place, key);
    return child.value === undefined ? undefined : { [key]: readValue(child) };
  };
  return {
    ...under('properties', (child) => Object.fromEntries(entriesOf(child).map(([name, one]) => [name, read(one)]))),
    ...under('items', read),
    ...under('additionalProperties', (child) => (isFlag(child.value) ? child.value : read(child))),
    ...under('propertyNames', read),
    ...under('anyOf', (child) => itemsOf(child).map(read)),
    ...under('oneOf', (child) => itemsOf(child).map(read)),
  };
}

/** The keywords whose value is no schema, each checked. */
function plainKeywordsAt(place: Place): PlainKeywords {
  const present = Object.entries(Object(place.value)).filter(([key, value]) => isPlain(key) && value !== undefined);
  for (const [key, value] of present) {
    if (!checkFor(key, place)(value)) throw wrong(at(place, key), 'has a value that is not known to the model');
  }
  return Object.fromEntries(present);
}

function checkFor(key: string, { source }: Place): Check<unknown> {
  return key === 'x-error-code' ? isValueOf(source, 'ErrorCode') : checks[key as keyof Checks];
}

type Checks = { [Key in Exclude<keyof PlainKeywords, 'x-error-code'>]-?: Check<PlainKeywords[Key]> };

const isScalar: Check<Scalar> = (value): value is Scalar =>
  value === null || isText(value) || isNumber(value) || isFlag(value);
const areScalars = isListOf(isScalar);
const isType = isOneOf(schemaTypes);
const areTypes = isListOf(isType);

/** One check for each keyword: the compiler asks for it when the interface gains a keyword. */
const checks: Checks = {
  type: (value): value is SchemaType | SchemaType[] => isType(value) || areTypes(value),
  description: isText,
  const: isScalar,
  enum: areScalars,
  default: (value): value is Scalar | Scalar[] => isScalar(value) || areScalars(value),
  format: isText,
  pattern: isText,
  minLength: isNumber,
  maxLength: isNumber,
  minimum: isNumber,
  maximum: isNumber,
  minItems: isNumber,
  maxItems: isNumber,
  uniqueItems: isFlag,
  minProperties: isNumber,
  maxProperties: isNumber,
  required: isListOf(isText),
  writeOnly: isFlag,
  'x-pattern-message': isText,
  'x-address-of': isOneOf(['customer', 'endpoint', 'logo']),
  'x-contrast-with-white': isNumber,
};

const plain: readonly string[] = [...Object.keys(checks), 'x-error-code'];
const isPlain = (key: string) => plain.includes(key);
const known = [...plain, 'properties', 'items', 'additionalProperties', 'propertyNames', 'anyOf', 'oneOf'];
const knownBesideRef = [...plain, '$ref'];
