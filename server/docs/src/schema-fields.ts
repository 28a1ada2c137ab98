import type { Schema } from '@tillhook/openapi';
import { markdownTable } from '../../src/kit/tables.ts';

/** The name of a nested field is its path. */
export function fieldsTable(schema: Schema): string {
  return markdownTable(['Field', 'Type', 'Meaning'], fieldsOf(schema, ''));
}

/** The type and the limits of a value in words, such as `string; at most 254 characters`. */
export function typeText(schema: Schema): string {
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  const variants = variantsOf(schema);
  if (variants.length > 0) return `one of ${variants.map(variantText).join(', ')}`;
  const types = [schema.type ?? 'object'].flat().map((type) => (type === 'null' ? 'null' : nameOf(type, schema)));
  const values = valuesOf(schema);
  const standard = schema.default === undefined ? '' : `default \`${JSON.stringify(schema.default)}\``;
  return [types.join(' or '), values, boundsOf(schema), standard].filter(Boolean).join('; ');
}

function variantsOf({ anyOf, oneOf }: Schema): readonly Schema[] {
  return anyOf ?? oneOf ?? [];
}

/** A schema without a name in the contract is shown by its type. */
function variantText(variant: Schema): string {
  return variant.name === undefined ? typeText(variant) : `\`${variant.name}\``;
}

/** A long list, such as the error codes, would make the table hard to read, so only the number of values is shown. */
function valuesOf({ enum: closed, 'x-extensible-enum': open = {} }: Schema): string {
  const values = closed ?? Object.keys(open);
  if (values.length > 12) return `one of ${values.length} values`;
  return values.length > 0 ? `one of ${values.map((value) => `\`${value}\``).join(', ')}` : '';
}

function nameOf(type: string, { format, items }: Schema): string {
  if (type === 'array') return items ? 'list' : 'array';
  // Omits the format of an integer, such as `int64`, which only generators of clients need.
  return format && type !== 'integer' ? `${type} (${format})` : type;
}

function boundsOf(schema: Schema): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, maxProperties, format } = schema;
  const highest = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum;
  if (minimum !== undefined || highest !== undefined) return range(minimum, highest);
  if (schema.enum || schema['x-extensible-enum'] || format === 'uuid' || format === 'date-time') return '';
  return (
    range(minLength || undefined, maxLength, ' characters') ||
    range(minItems || undefined, maxItems) ||
    range(undefined, maxProperties, ' entries')
  );
}

function range(min: number | undefined, max: number | undefined, unit = ''): string {
  const [low, high] = [min?.toLocaleString('en'), max?.toLocaleString('en')];
  if (low !== undefined && high !== undefined) return `${low} to ${high}${unit}`;
  if (high !== undefined) return `at most ${high}${unit}`;
  return low === undefined ? '' : `at least ${low}${unit}`;
}

/** A field that differs between the alternatives of a union shows all of its types and meanings. */
function inOneTable(rows: string[][]): string[][] {
  const byField = Object.values(Object.groupBy(rows, ([field = '']) => field));
  return byField.map((same = []) => {
    const [fields = [], types = [], meanings = []] = [0, 1, 2].map((cell) => [
      ...new Set(same.map((row) => row[cell])),
    ]);
    return [fields[0] ?? '', types.join(', or '), meanings.filter(Boolean).join(' ')];
  });
}

function fieldsOf(schema: Schema, prefix: string): string[][] {
  const variants = variantsOf(schema);
  if (variants.length > 0) return inOneTable(variants.flatMap((variant) => fieldsOf(variant, prefix)));
  if (schema.items) return fieldsOf(schema.items, `${prefix.replace(/\.$/, '')}[].`);
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).flatMap(([name, property]) => {
    const field = `\`${prefix}${name}\`${required.includes(name) ? ' *required*' : ''}`;
    const meaning = property.description ?? '';
    return [[field, typeText(property), meaning], ...fieldsOf(property, `${prefix}${name}.`)];
  });
}
