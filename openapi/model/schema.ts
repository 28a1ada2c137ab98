/**
 * A schema of the contract, with every `$ref` followed, and the keywords of JSON Schema that the contract uses. A
 * document with another keyword is refused when it is read, because these types would hide it from every reader.
 */
import type { components } from '../generated/contract.ts';
import type { Known } from './known.ts';

type ErrorCode = Known<components['schemas']['ErrorCode']>;

export const schemaTypes = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'] as const;
export type SchemaType = (typeof schemaTypes)[number];

/** The owner of the address in a field, which decides the rules for the address. */
export type AddressOwner = 'customer' | 'endpoint' | 'merchant';

export type Scalar = string | number | boolean | null;

/** The keywords whose value is not a schema. */
export interface PlainKeywords {
  readonly type?: SchemaType | readonly SchemaType[];
  readonly description?: string;
  readonly const?: Scalar;
  readonly enum?: readonly Scalar[];
  readonly default?: Scalar | readonly Scalar[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly required?: readonly string[];
  readonly writeOnly?: boolean;
  /** Of a string: the format of the text in it. */
  readonly contentMediaType?: 'application/json';
  /** Of a union: the field that says which of its schemas a value has. */
  readonly discriminator?: Discriminator;
  /** The known values of a code or name, each with its meaning. A later version may send others. */
  readonly 'x-extensible-enum'?: Readonly<Record<string, string>>;
  /** Names for the values of `enum`, in their order, for generators whose language has no name for one of them. */
  readonly 'x-enum-varnames'?: readonly string[];
  /** Who else chooses values of the code. The service passes them on, so it sends values that are not listed. */
  readonly 'x-also-from'?: 'processor' | 'operator';
  /** The error code for a value that breaks the schema. */
  readonly 'x-error-code'?: ErrorCode;
  /** The message for a value that breaks the pattern. */
  readonly 'x-pattern-message'?: string;
  readonly 'x-address-of'?: AddressOwner;
  /** Of a list of items with a quantity and a unit amount: the field of the request to which they must add up. */
  readonly 'x-adds-up-to'?: string;
  /**
   * Of a list of names: one text with the names joined by commas is taken too. The schema describes only the list.
   * See docs/decisions/contract.md, "A list that answers show as text is taken as text too".
   */
  readonly 'x-also-as-text'?: boolean;
  /** The columns of a CSV file, in their order, and what each contains. */
  readonly 'x-columns'?: Readonly<Record<string, string>>;
}

export interface Discriminator {
  readonly propertyName: string;
  /** The `$ref` of a schema for each value of the field. */
  readonly mapping: Readonly<Record<string, string>>;
}

export interface Schema extends PlainKeywords {
  /** Its name under `components/schemas`, if it has one. */
  readonly name?: string;
  /** Its JSON pointer in the document, for validators, which read the document themselves. */
  readonly pointer: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly propertyNames?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  /** Of a string: the schema of the value that its text represents. */
  readonly contentSchema?: Schema;
}

/** The schemas of the values directly inside a value. The value that a text represents is not one of them. */
export function schemasIn(schema: Schema): Schema[] {
  const { properties = {}, items, additionalProperties, propertyNames, anyOf = [], oneOf = [] } = schema;
  const inside = [...Object.values(properties), items, additionalProperties, propertyNames, ...anyOf, ...oneOf];
  return inside.filter((child) => typeof child === 'object');
}

/** The schema of the value at these keys, inside a value that `schema` describes. */
export function schemaAt(schema: Schema | undefined, [key, ...rest]: readonly string[]): Schema | undefined {
  if (!schema || key === undefined) return schema;
  const { properties = {}, items, additionalProperties: other } = schema;
  const own = Object.hasOwn(properties, key) ? properties[key] : undefined;
  return schemaAt(own ?? items ?? (typeof other === 'object' ? other : undefined), rest);
}
