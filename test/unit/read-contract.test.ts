import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ContractError, readContractFrom } from '@tillhook/openapi';
import test, { type ExecutionContext } from 'ava';

const titleOf = (document: object) => (document as { info: { title: string } }).info.title;
const yaml = 'openapi: 3.1.0\ninfo: { title: As written }\n';

/** The titles differ, so that a test sees whether the contract or its parsed form was read. */
function contractBeside(t: ExecutionContext, parsedYaml: string): string {
  const home = mkdtempSync(join(tmpdir(), 'tillhook-contract-'));
  t.teardown(() => rmSync(home, { recursive: true }));
  const sha256 = createHash('sha256').update(parsedYaml).digest('hex');
  mkdirSync(join(home, 'generated'));
  writeFileSync(
    join(home, 'generated/contract.json'),
    JSON.stringify({ sha256, document: { info: { title: 'As parsed' } } }),
  );
  writeFileSync(join(home, 'openapi.yaml'), yaml);
  return join(home, 'openapi.yaml');
}

test('readContract reads the parsed form while the YAML is unchanged', (t) => {
  const { document, text, lineOf } = readContractFrom(contractBeside(t, yaml));

  t.is(titleOf(document), 'As parsed');
  t.is(text, yaml);
  t.is(lineOf(['info', 'title']), 'openapi.yaml:2');
});

test('readContract reads the YAML when it has changed since it was parsed', (t) => {
  const { document } = readContractFrom(contractBeside(t, yaml.replace('As written', 'As it was')));

  t.is(titleOf(document), 'As written');
});

test('readContract reads the YAML when the file of a tag has changed since it was parsed', (t) => {
  const file = contractBeside(t, yaml);
  mkdirSync(join(file, '../contract'));
  writeFileSync(join(file, '../contract/payments.yaml'), 'paths: {}\n');

  t.is(titleOf(readContractFrom(file).document), 'As written');
});

const list = `
paths:
  /pay: {$ref: contract/payments.yaml#/paths/~1pay}
components:
  schemas:
    Payment: {$ref: 'contract/payments.yaml#/components/schemas/Payment'}
    Amount: {$ref: 'contract/shared.yaml#/components/schemas/Amount'}
`;
const payments = `
paths:
  /pay: {get: {examples: {paid: {$ref: 'shared.yaml#/components/examples/paid'}}}}
components:
  schemas:
    Payment: {properties: {amount: {$ref: 'shared.yaml#/components/schemas/Amount', title: Due}}}
`;
const shared = `
components:
  schemas:
    Amount: {type: integer}
  examples:
    paid: {value: 1}
`;

function contractOf(t: ExecutionContext, files: Record<string, string>): string {
  const home = mkdtempSync(join(tmpdir(), 'tillhook-contract-'));
  t.teardown(() => rmSync(home, { recursive: true }));
  mkdirSync(join(home, 'contract'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(home, name), text);
  return join(home, 'openapi.yaml');
}

const split = { 'openapi.yaml': list, 'contract/payments.yaml': payments, 'contract/shared.yaml': shared };

test('the files of the tags are bundled into one document', (t) => {
  const { document, lineOf } = readContractFrom(contractOf(t, split));

  t.deepEqual(document, {
    paths: { '/pay': { get: { examples: { paid: { value: 1 } } } } },
    components: {
      schemas: {
        Payment: { properties: { amount: { $ref: '#/components/schemas/Amount', title: 'Due' } } },
        Amount: { type: 'integer' },
      },
    },
  });
  t.is(lineOf(['components', 'schemas', 'Amount', 'type']), 'contract/shared.yaml:4');
});

const mistakes: [name: string, file: keyof typeof split, find: string, replace: string, message: string][] = [
  [
    'a $ref to something that another file does not have',
    'contract/payments.yaml',
    'schemas/Amount',
    'schemas/Amuont',
    'contract/payments.yaml:6: nothing at shared.yaml#/components/schemas/Amuont',
  ],
  [
    'a file that does not exist',
    'openapi.yaml',
    'contract/shared.yaml',
    'contract/money.yaml',
    'openapi.yaml:7: nothing at contract/money.yaml#/components/schemas/Amount',
  ],
  [
    'a component that is not listed',
    'contract/shared.yaml',
    '    Amount:',
    '    Other: {type: string}\n    Amount:',
    'contract/shared.yaml:4: Other is not listed in openapi.yaml',
  ],
  [
    'a path that is not listed',
    'openapi.yaml',
    '  /pay:',
    '  /paid:',
    'contract/payments.yaml:3: /pay is not listed in openapi.yaml',
  ],
];

for (const [name, file, find, replace, message] of mistakes) {
  test(`${name} throws an error with its file and line`, (t) => {
    const path = contractOf(t, { ...split, [file]: split[file].replace(find, replace) });

    t.throws(() => readContractFrom(path), { instanceOf: ContractError, message });
  });
}
