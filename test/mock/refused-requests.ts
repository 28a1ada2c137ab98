/** Each request breaks one rule of one operation, so the server rejects it in any state. */
import type { ModelOperation, Schema } from '@tillhook/openapi';
import fc from 'fast-check';
import { pathOf, roleOf, schemes, schemesOf } from '../support/calls/call-example.ts';
import { mistakesOf, validValue, wrongValues } from '../support/calls/schema-arbitraries.ts';
import { errorAnswerOf, type Side, type Statement } from './both-sides.ts';

export function refusedRequests(operation: ModelOperation): Statement[] {
  return [
    ...credentialSituations(operation),
    ...addressSituations(operation),
    ...querySituations(operation),
    ...bodySituations(operation),
  ].map(([situation, ask]) => ({ title: `${operation.id}: ${situation}`, ask }));
}

/** The fifth differs between operations, so that `npm test` sends every kind of request for some operations. */
export function partOf(operation: ModelOperation, index: number, part: 'a fifth' | 'the others'): Statement[] {
  return refusedRequests(operation).filter((_, place) => (place % 5 === index % 5) === (part === 'a fifth'));
}

type Situation = [situation: string, ask: (side: Side) => Promise<unknown>];

function credentialSituations(operation: ModelOperation): Situation[] {
  const taken = schemesOf(operation);
  const without = (headers: (side: Side) => Record<string, string>) => (side: Side) =>
    call(side, operation, { headers: headers(side) });
  if (taken.length === 0) {
    return [['a page of another site', without(() => ({ 'sec-fetch-site': 'cross-site' }))]];
  }
  return [
    ['no credential', without(() => ({}))],
    ['an invalid key as Bearer', without(() => ({ authorization: 'Bearer undefined' }))],
    ['an invalid key as x-api-key', without(() => ({ 'x-api-key': 'undefined' }))],
    ['an unknown scheme', without(() => ({ authorization: 'Basic c2s6c2s=' }))],
    ['an empty bearer', without(() => ({ authorization: 'Bearer ' }))],
    ...(taken.includes('apiKeyHeader') ? [twoKeys(without)] : []),
    ...schemes
      .filter((scheme) => !taken.includes(scheme))
      .map(
        (scheme): Situation => [
          `${scheme}, which the operation does not accept`,
          without((side) => side.headersFor(scheme)),
        ],
      ),
    ...(taken.includes('dashboardSession') ? sessionSituations(without) : []),
    ...(operation.path.includes('/test-helpers/') ? [inLiveMode(without)] : []),
  ];
}

function twoKeys(without: (headers: (side: Side) => Record<string, string>) => Situation[1]): Situation {
  const headers = (side: Side) => ({ ...side.headersFor('apiKeyHeader'), authorization: 'Bearer sk_test_another' });
  return ['two different keys', without(headers)];
}

function inLiveMode(without: (headers: (side: Side) => Record<string, string>) => Situation[1]): Situation {
  const headers = (side: Side) => ({ ...side.headersFor('dashboardSession'), 'x-service-mode': 'live' });
  return ['a session of live mode', without(headers)];
}

function sessionSituations(without: (headers: (side: Side) => Record<string, string>) => Situation[1]): Situation[] {
  const session = (side: Side) => side.headersFor('dashboardSession');
  return [
    ['a session without its mode', without((side) => ({ cookie: session(side).cookie ?? '' }))],
    ['a session of another mode', without((side) => ({ ...session(side), 'x-service-mode': 'both' }))],
    ['a session of another site', without((side) => ({ ...session(side), 'sec-fetch-site': 'cross-site' }))],
    ['a mode without a session', without(() => ({ 'x-service-mode': 'test' }))],
    ['a session and an invalid key', without((side) => ({ ...session(side), authorization: 'Bearer nothing' }))],
  ];
}

function addressSituations(operation: ModelOperation): Situation[] {
  const { path } = operation;
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return [
    ['another method', (side) => call(side, operation, { method: 'PUT' })],
    ...(parameters.length > 0 && operation.answers.has(404) ? [nobodyMade(operation)] : []),
    ['another address', (side) => call(side, operation, { path: `${pathOf(operation)}/elsewhere/at/all` })],
    ...parameters.flatMap((name): Situation[] =>
      ['x', '%20', '%E0%A4%A'].map((value) => [
        `${name} is ${value}`,
        (side) => call(side, operation, { path: path.replace(`{${name}}`, value).replaceAll(/\{\w+\}/g, 'x') }),
      ]),
    ),
  ];
}

/** The default ids and references come from examples, so the mock knows them. */
function nobodyMade(operation: ModelOperation): Situation {
  const path = pathOf(operation, { id: '019aa3c4-0000-7000-8000-00000000beef', reference: 'nobody-made-this' });
  return ['an unknown name in the path', (side) => call(side, operation, { path })];
}

function querySituations(operation: ModelOperation): Situation[] {
  const ask = (query: string) => (side: Side) => call(side, operation, { path: `${pathOf(operation)}?${query}` });
  return [
    ['two unknown query parameters', ask('colour=red&size=xl')],
    ['an unknown currency in the query', ask('currency=XXQ&colour=red')],
    ['unknown query parameters with brackets', ask('size[]=xl&colour[red]=1')],
    ...operation.parameters
      .filter((parameter) => parameter.in === 'query')
      .flatMap(({ name, schema }): Situation[] => {
        const wrong = wrongValues(schema).filter(
          ([, value]) => typeof value === 'number' || (typeof value === 'string' && value.isWellFormed()),
        );
        return [
          ...wrong.map(
            ([how, value]): Situation => [`${name} ${how}`, ask(String(new URLSearchParams({ [name]: `${value}` })))],
          ),
          [`${name} twice`, ask(`${name}=1&${name}=2`)],
          [`${name} is invalid and another parameter is unknown`, ask(`colour=red&${name}=`)],
        ];
      }),
  ];
}

function bodySituations(operation: ModelOperation): Situation[] {
  if (!operation.body) return [];
  const { schema, isRequired } = operation.body;
  const [valid] = fc.sample(validValue(schema), { seed: 1042, numRuns: 1 });
  const ask = (body: string | Uint8Array<ArrayBuffer> | undefined, type = 'application/json') => {
    return (side: Side) =>
      call(side, operation, {
        ...(body !== undefined && { body }),
        headers: { 'content-type': type, ...validHeaders(side, operation) },
      });
  };
  return [
    ...mistakesOf(schema).map(({ how, apply }): Situation => [how, ask(JSON.stringify(apply(valid)))]),
    ...(isRequired ? [['no body', ask(undefined)] as Situation, ['an empty body', ask('')] as Situation] : []),
    ...badBodies.map(([how, body]): Situation => [how, ask(body)]),
    ...(schemaHas(schema, 'url')
      ? [['an address in a private network', ask('{"url":"http://10.0.0.1/hooks"}')] as Situation]
      : []),
    ['another media type', ask('email=ada', 'application/x-www-form-urlencoded')],
    ['a media type that begins like JSON', ask('[]', 'application/json-patch+json')],
    ['another charset', ask('{}', 'application/json; charset=utf-7')],
    ['a body of more than 100 KiB', ask(JSON.stringify({ email: 'x'.repeat(100 * 1024) }))],
    [
      'an invalid body and an invalid query',
      (side) => call(side, operation, { path: `${pathOf(operation)}?colour=red`, body: '{"shade":1}' }),
    ],
  ];
}

const schemaHas = ({ required = [] }: Schema, field: string) => required.includes(field);

const badBodies: [how: string, body: string | Uint8Array<ArrayBuffer>][] = [
  ['a truncated body', '{"email": "ada@example.com", "amount": 1'],
  ['brackets without end', `${'['.repeat(20_000)}${']'.repeat(20_000)}`],
  ['a body that is not UTF-8', Uint8Array.from(Buffer.from('{"name":"é"}', 'latin1'))],
  ['an array', '[]'],
  ['an array after a byte order mark', '\ufeff[]'],
  ['an array after two byte order marks', '\ufeff\ufeff[]'],
  ['a string', '"ada"'],
  ['null', 'null'],
  ['a key __proto__', '{"__proto__":{"a":1}}'],
  ['a key that Postgres cannot store', '{"a\\u0000b":1}'],
  ['more unknown fields than are reported', JSON.stringify(Object.fromEntries(numbered(150, 'field')))],
  [
    'more strings that Postgres cannot store than are reported',
    JSON.stringify({ metadata: numbered(150, '\0').flat() }),
  ],
  ['a field with a name of 500 letters', JSON.stringify({ ['x'.repeat(500)]: 1 })],
  ['an unpaired surrogate', '{"name":"\\ud800","description":"\\ud800","email":"\\ud800"}'],
  [
    'an invalid currency and invalid addresses',
    '{"currency":"XXQ","cancelUrl":"ftp://a","callbackUrl":"ftp://a","email":"ada@example.com","amount":1}',
  ],
  [
    'everything wrong at once',
    '{"colour":1,"email":"ada","amount":0,"price":0,"currency":"XXQ","callbackUrl":"ftp://a","imageUrl":"ftp://a","url":"ftp://a","events":[]}',
  ],
  [
    'a malformed currency and an address that is too long',
    `{"currency":"xx","callbackUrl":"ftp://${'a'.repeat(2050)}","url":"ftp://${'a'.repeat(2050)}"}`,
  ],
  ['an amount beyond 64 bits', '{"amount":1e400}'],
];

interface Call {
  path?: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
}

function call(side: Side, operation: ModelOperation, { path = pathOf(operation), method, headers, body }: Call) {
  const sent = body ?? (headers?.['content-type'] ? undefined : exampleBody(operation));
  return errorAnswerOf(side, path, {
    method: method ?? operation.method.toUpperCase(),
    headers: {
      ...(sent !== undefined && { 'content-type': 'application/json' }),
      ...(headers ?? validHeaders(side, operation)),
    },
    ...(sent !== undefined && { body: sent }),
  });
}

function validHeaders(side: Side, operation: ModelOperation): Record<string, string> {
  const [scheme] = schemesOf(operation);
  return scheme ? side.headersFor(scheme, roleOf(operation)) : {};
}

function exampleBody({ body }: ModelOperation): string | undefined {
  const [first] = body?.examples.values() ?? [];
  return first && JSON.stringify(first.value);
}

function numbered(count: number, name: string): [string, number][] {
  return Array.from({ length: count }, (_, index) => [name + index, index]);
}
