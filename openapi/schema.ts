/**
 * A schema of the contract, with every `$ref` followed, and the keywords of JSON Schema that the contract uses. A document with
 * another keyword is refused when it is read, because these types would hide it from every reader.
 */
import type { components } from './generated/contract.ts';

type ErrorCode = components['schemas']['ErrorCode'];

export const schemaTypes = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'] as const;
export type SchemaType = (typeof schemaTypes)[number];

/** Whose address a field holds, which decides what it may be. */
export type AddressOwner = 'customer' | 'endpoint' | 'logo';

export type Scalar = string | number | boolean | null;

/** The keywords whose value is no schema. */
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
  readonly uniqueItems?: boolean;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly required?: readonly string[];
  readonly writeOnly?: boolean;
  /** The code of the error for a value that breaks the schema. */
  readonly 'x-error-code'?: ErrorCode;
  /** What breaks the pattern, in words. */
  readonly 'x-pattern-message'?: string;
  readonly 'x-address-of'?: AddressOwner;
  /** How well white text has to be readable on the colour. */
  readonly 'x-contrast-with-white'?: number;
}

export interface Schema extends PlainKeywords {
  /** What the contract calls it, where it is one of `components/schemas`. */
  readonly name?: string;
  /** Where it stands in the document, for validators, which read the document themselves. */
  readonly pointer: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly propertyNames?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

/** The schemas that a schema holds. */
export function schemasIn(schema: Schema): Schema[] {
  const { properties = {}, items, additionalProperties, propertyNames, anyOf = [], oneOf = [] } = schema;
  const inside = [...Object.values(properties), items, additionalProperties, propertyNames, ...anyOf, ...oneOf];
  return inside.filter((child) => typeof child === 'object');
}

/** The schema of the value at these keys of a value that this schema describes. */
export function schemaAt(schema: Schema | undefined, [key, ...rest]: readonly string[]): Schema | undefined {
  if (!schema || key === undefined) return schema;
  return schemaAt(schema.properties?.[key] ?? schema.items, rest);
}
