import { type ContractDocument, follow } from '@tillhook/openapi';
import { type Refusal, refuseField } from './refusal.ts';

/** Throws what the service refuses of fields that fit their schemas: addresses of no use, currencies that do not exist. */
export function checkBeyondSchemas(document: ContractDocument, schema: ContractDocument = {}, body: unknown): void {
  if (body === null || typeof body !== 'object') return;
  for (const [name, value] of Object.entries(body)) {
    const property = schema.properties?.[name];
    if (property === undefined || typeof value !== 'string') continue;
    const refusal = refusalOf(name, value, follow(document, property), property);
    if (refusal) throw refusal;
  }
}

function refusalOf(
  name: string,
  value: string,
  ...[schema, property]: [ContractDocument, ContractDocument]
): Refusal | undefined {
  if (schema['x-error-code'] === 'invalid_url') return addressRefusal(name, value);
  if (!property.$ref?.endsWith('/Currency') || currencies.has(value)) return undefined;
  return refuseField('unsupported_currency', name, 'is not a currency of ISO 4217');
}

const currencies = new Set(Intl.supportedValuesOf('currency'));

function addressRefusal(name: string, address: string): Refusal | undefined {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    return refuseField('invalid_url', name, 'must begin with http:// or https://');
  }
  if (url.username || url.password) return refuseField('invalid_url', name, 'must not hold a user name or password');
  // A customer's browser may go to a fragment; an event cannot.
  if (url.hash && name === 'url') return refuseField('invalid_url', name, 'must not have a fragment');
  return undefined;
}
