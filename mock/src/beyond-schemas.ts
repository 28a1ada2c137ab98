import type { ModelOperation, Schema } from '@tillhook/openapi';
import { contrastProblem } from './contrast.ts';
import type { Mode } from './credentials.ts';
import type { MockRequest } from './request.ts';
import type { Problem } from './unforeseen.ts';

interface Sent extends Pick<MockRequest, 'query' | 'body'> {
  mode: Mode | null;
}

/**
 * What the service refuses of fields that fit their schemas: addresses of no use, colours that no white text can be read on, then
 * currencies that do not exist.
 *
 * Choice: an endpoint in a private network is taken, which a service refuses unless it was told otherwise. That is where the
 * receivers of those stand who build against a mock.
 */
export function beyondSchemas({ body, parameters }: ModelOperation, sent: Sent): Problem[] {
  const queries = parameters.filter((parameter) => parameter.in === 'query');
  const fields = [
    ...fieldsIn(sent.body, Object.entries(body?.schema.properties ?? {})),
    ...fieldsIn(
      sent.query,
      queries.map(({ name, schema }) => [name, schema]),
    ),
  ];
  return [
    ...fields.filter(({ schema }) => schema['x-error-code'] === 'invalid_url').flatMap(addressProblems(sent.mode)),
    ...fields.flatMap(colourProblems),
    ...fields.filter(({ schema }) => schema.name === 'Currency').flatMap(currencyProblems),
  ];
}

interface Field {
  name: string;
  value: string;
  schema: Schema;
}

function fieldsIn(values: unknown, schemas: [name: string, schema: Schema][]): Field[] {
  if (values === null || typeof values !== 'object') return [];
  return schemas.flatMap(([name, schema]) => {
    const value = (values as Record<string, unknown>)[name];
    return typeof value === 'string' ? [{ name, value, schema }] : [];
  });
}

const currencies = new Set(Intl.supportedValuesOf('currency'));

function currencyProblems({ name, value }: Field): Problem[] {
  return currencies.has(value) ? [] : [problem(name, 'unsupported_currency', 'is not a currency of ISO 4217')];
}

function addressProblems(mode: Mode | null): (field: Field) => Problem[] {
  return ({ name, value, schema }) => {
    const url = URL.canParse(value) ? new URL(value) : null;
    // Where a customer goes back to after a live payment.
    const owner = schema['x-address-of'];
    const isSafe = owner === 'logo' || (mode === 'live' && owner === 'customer');
    const schemes = isSafe ? ['https'] : ['http', 'https'];
    if (!url || !schemes.includes(url.protocol.slice(0, -1))) {
      return [problem(name, 'invalid_url', `must begin with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`)];
    }
    if (url.username || url.password) return [problem(name, 'invalid_url', 'must not hold a user name or password')];
    // A customer's browser may go to a fragment; an event cannot.
    return url.hash && owner === 'endpoint' ? [problem(name, 'invalid_url', 'must not have a fragment')] : [];
  };
}

function colourProblems({ name, value, schema }: Field): Problem[] {
  const leastContrast = schema['x-contrast-with-white'];
  const message = leastContrast === undefined ? null : contrastProblem(value, leastContrast);
  return message ? [problem(name, 'invalid_parameter', message)] : [];
}

function problem(name: string, rule: string, message: string): Problem {
  return { keys: [name], rule, message };
}
