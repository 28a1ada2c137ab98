/** A contract with a keyword that this file does not list is rejected, because other code would ignore the keyword. */
import type { components } from '../generated/contract.ts';
import type { KnownValues } from './known-values.ts';

type ErrorCode = KnownValues<components['schemas']['ErrorCode']>;

export const schemaTypes = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'] as const;
export type SchemaType = (typeof schemaTypes)[number];

/** The owner of the web address in a field decides which rules the address must follow. */
export type AddressOwner = 'customer' | 'endpoint' | 'merchant';

export type Scalar = string | number | boolean | null;

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
  /** For a string: the media type of its text. */
  readonly contentMediaType?: 'application/json';
  /** For a `oneOf`: the field whose value decides which schema applies. */
  readonly discriminator?: Discriminator;
  /** The known values of a code or name, each with its meaning. A later version may send values that are not listed. */
  readonly 'x-extensible-enum'?: Readonly<Record<string, string>>;
  /** Names for the values of `enum`, in the same order: some generators cannot use a value such as `*` as a name. */
  readonly 'x-enum-varnames'?: readonly string[];
  /** The party that chooses values which the contract does not list. The service passes such values on. */
  readonly 'x-also-from'?: 'processor' | 'operator';
  readonly 'x-error-code'?: ErrorCode;
  readonly 'x-pattern-message'?: string;
  readonly 'x-address-of'?: AddressOwner;
  /** The request field that must equal the sum of the items of a list with quantities and unit amounts. */
  readonly 'x-adds-up-to'?: string;
  /** See docs/decisions/contract.md, "A list that answers show as text is accepted as text too". */
  readonly 'x-also-as-text'?: boolean;
  /** The columns of a CSV file in order, each with a description. */
  readonly 'x-columns'?: Readonly<Record<string, string>>;
}

export interface Discriminator {
  readonly propertyName: string;
  /** For each value of the discriminating field, the `$ref` of its schema. */
  readonly mapping: Readonly<Record<string, string>>;
}

export interface Schema extends PlainKeywords {
  /** The name of the schema under `components/schemas`, if it has one. */
  readonly name?: string;
  /** Validators need the pointer, because they read the document themselves. */
  readonly pointer: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly propertyNames?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  /** For a string that contains JSON: the schema of the parsed value. */
  readonly contentSchema?: Schema;
}

/** Returns the schemas directly inside a schema, except `contentSchema`. */
export function schemasIn(schema: Schema): Schema[] {
  const { properties = {}, items, additionalProperties, propertyNames, anyOf = [], oneOf = [] } = schema;
  const inside = [...Object.values(properties), items, additionalProperties, propertyNames, ...anyOf, ...oneOf];
  return inside.filter((child) => typeof child === 'object');
}

export function schemaAt(schema: Schema | undefined, [key, ...rest]: readonly string[]): Schema | undefined {
  if (!schema || key === undefined) return schema;
  const { properties = {}, items, additionalProperties: other } = schema;
  const own = Object.hasOwn(properties, key) ? properties[key] : undefined;
  return schemaAt(own ?? items ?? (typeof other === 'object' ? other : undefined), rest);
}
