import { type ContractDocument, follow } from '@tillhook/openapi';
import type { Mode } from './credentials.ts';
import { type Refusal, refuseField } from './refusal.ts';

interface Sent {
  body: unknown;
  mode: Mode | null;
}

/**
 * Throws what the service refuses of fields that fit their schemas: addresses of no use, then currencies that do not exist.
 *
 * Choice: an endpoint in a private network is taken, which a service refuses unless it was told otherwise. That is where the
 * receivers of those stand who build against a mock.
 */
export function checkBeyondSchemas(document: ContractDocument, schema: ContractDocument = {}, sent: Sent): void {
  const { body, mode } = sent;
  if (body === null || typeof body !== 'object') return;
  const fields = Object.entries<ContractDocument>(schema.properties ?? {}).flatMap(([name, property]) => {
    const value: unknown = (body as Record<string, unknown>)[name];
    return typeof value === 'string' ? [{ name, value, property }] : [];
  });
  const isAddress = ({ property }: Field) => follow(document, property)['x-error-code'] === 'invalid_url';
  const refusals = [
    ...fields.filter(isAddress).map((field) => addressRefusal(field, mode)),
    ...fields.filter(({ property }) => property.$ref?.endsWith('/Currency')).map(currencyRefusal),
  ];
  const first = refusals.find(Boolean);
  if (first) throw first;
}

interface Field {
  name: string;
  value: string;
  property: ContractDocument;
}

function currencyRefusal({ name, value }: Field): Refusal | undefined {
  return currencies.has(value) ? undefined : refuseField('unsupported_currency', name, 'is not a currency of ISO 4217');
}

const currencies = new Set(Intl.supportedValuesOf('currency'));

/** Where a customer goes back to after a live payment. */
const customersWay = ['callbackUrl', 'cancelUrl'];

function addressRefusal({ name, value }: Field, mode: Mode | null): Refusal | undefined {
  const url = URL.canParse(value) ? new URL(value) : null;
  const schemes = mode === 'live' && customersWay.includes(name) ? ['https'] : ['http', 'https'];
  if (!url || !schemes.includes(url.protocol.slice(0, -1))) {
    return refuseField('invalid_url', name, `must begin with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`);
  }
  if (url.username || url.password) return refuseField('invalid_url', name, 'must not hold a user name or password');
  // A customer's browser may go to a fragment; an event cannot.
  if (url.hash && name === 'url') return refuseField('invalid_url', name, 'must not have a fragment');
  return undefined;
}
