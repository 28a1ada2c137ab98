import type { Schema } from '@tillhook/openapi';
import { markdownTable } from './markdown-table.ts';

/** Every field of a schema, those inside others by their path, with type, bounds and meaning. */
export function fieldsTable(schema: Schema): string {
  return markdownTable(['Field', 'Type', 'Meaning'], fieldsOf(schema, ''));
}

/** `string, at most 254 characters`, and what else the schema allows. */
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

/** By the name that the contract has for it, or by what it is. */
function variantText(variant: Schema): string {
  return variant.name === undefined ? typeText(variant) : `\`${variant.name}\``;
}

/** A long list, as that of the error codes, would bury the rest of the table. */
function valuesOf({ enum: values = [] }: Schema): string {
  if (values.length > 12) return `one of ${values.length} values`;
  return values.length > 0 ? `one of ${values.map((value) => `\`${value}\``).join(', ')}` : '';
}

function nameOf(type: string, { format, items }: Schema): string {
  if (type === 'array') return items ? 'list' : 'array';
  return format ? `${type} (${format})` : type;
}

function boundsOf(schema: Schema): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, maxProperties, format } = schema;
  const highest = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum;
  if (minimum !== undefined || highest !== undefined) return range(minimum, highest);
  if (schema.enum || format === 'uuid' || format === 'date-time') return '';
  return (
    range(minLength || undefined, maxLength, ' characters') ||
    range(minItems || undefined, maxItems) ||
    range(undefined, maxProperties, ' entries')
  );
}

/** Either end may be open, and both. */
function range(least: number | undefined, most: number | undefined, unit = ''): string {
  const [low, high] = [least?.toLocaleString('en'), most?.toLocaleString('en')];
  if (low !== undefined && high !== undefined) return `${low} to ${high}${unit}`;
  if (high !== undefined) return `at most ${high}${unit}`;
  return low === undefined ? '' : `at least ${low}${unit}`;
}

function fieldsOf(schema: Schema, prefix: string): string[][] {
  const variants = variantsOf(schema);
  if (variants.length > 0) return variants.flatMap((variant) => fieldsOf(variant, prefix));
  if (schema.items) return fieldsOf(schema.items, `${prefix.replace(/\.$/, '')}[].`);
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).flatMap(([name, property]) => {
    const field = `\`${prefix}${name}\`${required.includes(name) ? ' *required*' : ''}`;
    const meaning = property.description ?? '';
    return [[field, typeText(property), meaning], ...fieldsOf(property, `${prefix}${name}.`)];
  });
}
