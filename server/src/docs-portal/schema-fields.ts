import type { ContractDocument } from '@tillhook/openapi';
import { markdownTable } from './markdown-table.ts';
import { resolve } from './resolve.ts';

/** Every field of a schema, those inside others by their path, with type, bounds and meaning. */
export function fieldsTable(document: ContractDocument, schema: ContractDocument): string {
  return markdownTable(['Field', 'Type', 'Meaning'], fieldsOf(document, schema, ''));
}

/** `string, at most 254 characters`, and what else the schema allows. */
export function typeText(document: ContractDocument, given: ContractDocument): string {
  const schema = resolve(document, given);
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  const variants = variantsOf(schema);
  if (variants.length > 0) return `one of ${variants.map((variant) => variantText(document, variant)).join(', ')}`;
  const types = [schema.type ?? 'object']
    .flat()
    .map((type: string) => (type === 'null' ? 'null' : nameOf(type, schema)));
  const values = valuesOf(schema);
  const standard = schema.default === undefined ? '' : `default \`${JSON.stringify(schema.default)}\``;
  return [types.join(' or '), values, boundsOf(schema), standard].filter(Boolean).join('; ');
}

function variantsOf({ anyOf, oneOf }: ContractDocument): ContractDocument[] {
  return anyOf ?? oneOf ?? [];
}

/** By the name that the contract has for it, or by what it is. */
function variantText(document: ContractDocument, variant: ContractDocument): string {
  const { $ref } = variant;
  return typeof $ref === 'string' ? `\`${$ref.split('/').at(-1)}\`` : typeText(document, variant);
}

/** A long list, as that of the error codes, would bury the rest of the table. */
function valuesOf({ enum: values = [] }: ContractDocument): string {
  if (values.length > 12) return `one of ${values.length} values`;
  return values.length > 0 ? `one of ${values.map((value: unknown) => `\`${value}\``).join(', ')}` : '';
}

function nameOf(type: string, { format, items }: ContractDocument): string {
  if (type === 'array') return items ? 'list' : 'array';
  return format ? `${type} (${format})` : type;
}

function boundsOf(schema: ContractDocument): string {
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

function fieldsOf(document: ContractDocument, given: ContractDocument, prefix: string): string[][] {
  const schema = resolve(document, given);
  const variants = variantsOf(schema);
  if (variants.length > 0) return variants.flatMap((variant) => fieldsOf(document, variant, prefix));
  if (schema.items) return fieldsOf(document, schema.items, `${prefix.replace(/\.$/, '')}[].`);
  const required: string[] = schema.required ?? [];
  return Object.entries<ContractDocument>(schema.properties ?? {}).flatMap(([name, property]) => {
    const { description = '' } = resolve(document, property);
    const field = `\`${prefix}${name}\`${required.includes(name) ? ' *required*' : ''}`;
    return [[field, typeText(document, property), description], ...fieldsOf(document, property, `${prefix}${name}.`)];
  });
}
