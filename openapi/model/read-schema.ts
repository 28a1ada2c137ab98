import {
  at,
  type Check,
  entriesOf,
  follow,
  isFlag,
  isListOf,
  isNumber,
  isOneOf,
  isRecord,
  isText,
  isValueOf,
  itemsOf,
  type Place,
  refOf,
  wrong,
} from './place.ts';
import {
  type Discriminator,
  type PlainKeywords,
  type Scalar,
  type Schema,
  type SchemaType,
  schemaTypes,
} from './schema.ts';

export type ReadSchema = (place: Place) => Schema;

/**
 * All references to a named schema share one object. A keyword beside a `$ref` overrides the same keyword of the
 * target.
 * Choice: a schema that contains itself is not supported, because readers of the model visit all inner schemas.
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
    if (ref === undefined) return { pointer: place.pointer, ...keywordsAt(place, read) };
    const beside = keywordsAt(place);
    if (Object.keys(beside).length === 0) return named(ref, place);
    // The pointer leads to the `$ref` itself, so that a validator also sees the keywords beside the `$ref`.
    return { ...named(ref, place), ...beside, pointer: place.pointer };
  };
  return read;
}

/** Beside a `$ref`, keywords that contain schemas are rejected: the argument `read` is omitted there. */
function keywordsAt(place: Place, read?: ReadSchema): PlainKeywords {
  const keywords: Record<string, unknown> = {};
  if (!isRecord(place.value)) throw wrong(place, 'must be a schema');
  for (const [key, value] of Object.entries(place.value)) {
    const isRef = key === '$ref' && !read;
    if (value !== undefined && !isRef) keywords[key] = schemasAt(place, key, read) ?? checked(place, key);
  }
  return keywords;
}

function schemasAt(place: Place, key: string, read?: ReadSchema): unknown {
  return read && readerOf.get(key)?.(at(place, key), read);
}

function checked(place: Place, key: string): unknown {
  const check = key === 'x-error-code' ? isValueOf(place.source, 'ErrorCode') : checkOf.get(key);
  const value = Reflect.get(Object(place.value), key);
  if (check?.(value)) return value;
  throw wrong(at(place, key), `${check ? 'has a value that is' : 'is'} not known to the model`);
}

type SchemaKeyword = Exclude<keyof Schema, keyof PlainKeywords | 'name' | 'pointer'>;
type SchemaReaders = { [Key in SchemaKeyword]-?: (place: Place, read: ReadSchema) => Schema[Key] };

const readEach = (place: Place, read: ReadSchema) => itemsOf(place).map(read);

const schemaReaders: SchemaReaders = {
  properties: (place, read) => Object.fromEntries(entriesOf(place).map(([name, one]) => [name, read(one)])),
  items: (place, read) => read(place),
  additionalProperties: (place, read) => (isFlag(place.value) ? place.value : read(place)),
  propertyNames: (place, read) => read(place),
  anyOf: readEach,
  oneOf: readEach,
  contentSchema: (place, read) => read(place),
};

type Checks = { [Key in Exclude<keyof PlainKeywords, 'x-error-code'>]-?: Check<PlainKeywords[Key]> };

const isScalar: Check<Scalar> = (value): value is Scalar =>
  value === null || isText(value) || isNumber(value) || isFlag(value);
const areScalars = isListOf(isScalar);
const isType = isOneOf(schemaTypes);
const areTypes = isListOf(isType);

/** The compiler demands a type guard for every keyword of `PlainKeywords`. */
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
  minProperties: isNumber,
  maxProperties: isNumber,
  required: isListOf(isText),
  writeOnly: isFlag,
  contentMediaType: isOneOf(['application/json']),
  discriminator: isDiscriminator,
  'x-extensible-enum': isTextByKey,
  'x-enum-varnames': isListOf(isText),
  'x-also-from': isOneOf(['processor', 'operator']),
  'x-pattern-message': isText,
  'x-columns': (value): value is Record<string, string> => isRecord(value) && Object.values(value).every(isText),
  'x-address-of': isOneOf(['customer', 'endpoint', 'merchant']),
  'x-adds-up-to': isText,
  'x-also-as-text': isFlag,
};

function isTextByKey(value: unknown): value is Record<string, string> {
  return isRecord(value) && Object.values(value).every(isText);
}

function isDiscriminator(value: unknown): value is Discriminator {
  return isRecord(value) && isText(value.propertyName) && isTextByKey(value.mapping);
}

const readerOf = new Map<string, SchemaReaders[SchemaKeyword]>(Object.entries(schemaReaders));
const checkOf = new Map<string, Check<unknown>>(Object.entries(checks));
