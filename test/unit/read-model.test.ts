import { ContractError, namedSchema } from '@tillhook/openapi';
import test from 'ava';
import { type Change, changedContract, valueInContract } from '../support/calls/changed-contract.ts';

const checkout = ['paths', '/api/v1/payments/checkout', 'post'] as const;
const transfers = ['paths', '/api/v1/transfers'] as const;
const amount = ['components', 'schemas', 'Amount'] as const;

const refused: [what: string, change: Change, message: RegExp][] = [
  ['a keyword that the model does not know', [[...amount, 'multipleOf'], 5], /multipleOf is not known to the model/],
  ['a keyword of another type', [[...amount, 'minimum'], '1'], /minimum has a value that is not known/],
  [
    'a $ref beside properties',
    [['components', 'schemas', 'Wallet', '$ref'], '#/components/schemas/Id'],
    /is not known/,
  ],
  ['a key beside the $ref of a parameter', [[...transfers, 'get', 'parameters', '0', 'in'], 'path'], /in is not known/],
  ['an error code that does not exist', [[...amount, 'x-error-code'], 'too_small'], /x-error-code has a value/],
  [
    'a schema that contains itself',
    [[...amount, 'anyOf'], [{ $ref: '#/components/schemas/Amount' }]],
    /contains itself/,
  ],
  [
    'a key of an operation that is not known',
    [[...checkout, 'x-owner'], 'payments'],
    /x-owner is not known to the model/,
  ],
  ['a deprecated operation without its days', [[...checkout, 'deprecated'], true], /x-deprecated-since is missing/],
  ['a sunset without deprecated: true', [[...checkout, 'x-sunset'], '2027-12-01'], /needs deprecated: true/],
  ['a scope that does not exist', [[...checkout, 'x-required-scope'], 'all'], /x-required-scope has a value/],
  ['a role that does not exist', [[...checkout, 'x-allowed-roles'], ['owner']], /x-allowed-roles has a value/],
  [
    'a security scheme that does not exist',
    [[...checkout, 'security'], [{ basic: [] }]],
    /has a value that is not known/,
  ],
  ['a body of another media type', [[...checkout, 'requestBody', 'content', 'text/csv'], {}], /text\/csv is not known/],
  ['a second success', [[...checkout, 'responses', '204'], { description: '' }], /must have exactly one success/],
  ['a parameter in a cookie', [['components', 'parameters', 'Limit', 'in'], 'cookie'], /in has a value/],
];

for (const [what, change, message] of refused) {
  test(`reading a document with ${what} throws an error`, (t) => {
    const error = t.throws(() => changedContract(change), { instanceOf: ContractError });

    t.regex(error?.message ?? '', /^openapi\.yaml:\d+: /);
    t.regex(error?.message ?? '', message);
  });
}

test('each operation of a path has the parameters of the path', (t) => {
  const parameter = { name: 'shop', in: 'query', description: 'Which shop.', schema: { type: 'string' } };

  const { model } = changedContract([[...transfers, 'parameters'], [parameter]]);

  for (const id of ['listTransfers', 'createTransfer']) {
    t.like(model.operationById.get(id)?.parameters[0], { ...parameter, isRequired: false });
  }
  t.true((model.operationById.get('listTransfers')?.parameters.length ?? 0) > 1);
});

test('an operation without security has the security of the document', (t) => {
  const { model } = changedContract([['security'], [{ apiKeyHeader: [] }]]);

  t.deepEqual(model.operationById.get('listTransfers')?.security, [['apiKeyHeader']]);
  t.deepEqual(model.operationById.get('signIn')?.security, []);
});

test('the URL of a server contains the default values of its variables', (t) => {
  const { model } = changedContract();

  t.deepEqual(
    model.servers.map(({ url }) => url),
    ['http://localhost:3000', 'http://localhost:4010'],
  );
});

test('properties beside a $ref replace the properties of the referenced schema, and its name stays', (t) => {
  const { model } = changedContract();
  const email = namedSchema(model, 'CheckoutRequest').properties?.email;

  t.is(email?.description, "The customer's e-mail address.");
  const pointer = '/components/schemas/CheckoutRequest/properties/email';
  t.deepEqual({ ...email, description: '' }, { ...namedSchema(model, 'Email'), description: '', pointer });
  t.is(email?.name, 'Email');
});

test('the pointer of a schema is its place in the document', (t) => {
  const { model } = changedContract();
  const schema = namedSchema(model, 'Transfer').properties?.recipient?.properties?.name;
  const keys = schema?.pointer.split('/').slice(1) ?? [];

  t.like(schema, { type: (valueInContract(...keys) as { type: string }).type });
  t.is(model.operationById.get('createTransfer')?.body?.schema.pointer, '/components/schemas/TransferRequest');
});
