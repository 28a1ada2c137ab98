// For each lint rule that `biome.json` names, a sample file that breaks only this rule; exempt files break none.

type Sample = readonly [path: string, code: string];

const lines = (count: number) => Array.from({ length: count }, (_, line) => `  console.log(${line});`).join('\n');
export const offenders: Record<string, Sample> = {
  noExcessiveCognitiveComplexity: [
    'test/complex.ts',
    `export function walk(input: number) {\n${'  if (input > 1 && input < 9) input.toFixed();\n'.repeat(8)}}`,
  ],
  noExcessiveLinesPerFunction: ['test/long-function.ts', `export function long() {\n${lines(101)}\n}`],
  useMaxParams: [
    'test/params.ts',
    'export const sum = (a: number, b: number, c: number, d: number, e: number) => a + b + c + d + e;',
  ],
  noUnusedFunctionParameters: ['test/parameter.ts', 'export function ignore(it: number) {\n  return 1;\n}'],
  noUnusedImports: ['test/imports.ts', `import { join } from 'node:path';\nexport const one = 1;`],
  noUnusedPrivateClassMembers: ['test/private.ts', 'export class Vault {\n  #gold = 1;\n}'],
  noUnusedVariables: ['test/variable.ts', 'const forgotten = 1;\nexport const one = 1;'],
  useImportExtensions: ['test/extension.ts', `import { one } from './variable';\nexport const two = one + one;`],
  noFloatingPromises: [
    'test/floating.ts',
    'async function save(): Promise<void> {}\nexport function leave() {\n  save();\n}',
  ],
  useExhaustiveSwitchCases: [
    'test/switch.ts',
    `export function say(mode: 'test' | 'live') {\n  switch (mode) {\n    case 'test':\n      return 1;\n  }\n  return 2;\n}`,
  ],
  noJsRestrictedProperties: [
    'server/src/money/payments/flushes.ts',
    'export const save = (em: { flush(): number }) => em.flush();',
  ],
  noBarrelFile: ['server/src/money/payments/barrel.ts', `export { one } from './one.ts';`],
  noReExportAll: ['openapi/index.ts', `export * from './one.ts';`],
  noCommonJs: ['test/common-js.ts', `export const path = require('node:path');`],
  noDefaultExport: ['test/default.ts', 'export default 1;'],
  noEnum: ['test/enum.ts', 'export enum Mode {\n  Test = 1,\n}'],
  noExcessiveLinesPerFile: [
    'server/src/kit/long.ts',
    'export const one = 1;\n'.repeat(401).replace(/one/g, numbered()),
  ],
  noInferrableTypes: ['test/inferrable.ts', 'export const next = (it: number = 1) => it + 1;'],
  noNamespace: ['test/namespace.ts', 'export namespace Room {\n  export const one = 1;\n}'],
  noNestedTernary: ['test/ternary.ts', 'export const pick = (it: number) => (it > 1 ? 1 : it > 0 ? 2 : 3);'],
  noParameterAssign: ['test/assign.ts', 'export function twice(it: number) {\n  it = it + it;\n  return it;\n}'],
  noParameterProperties: ['test/property.ts', 'export class Room {\n  constructor(readonly name: string) {}\n}'],
  noProcessEnv: ['server/src/money/payments/env.ts', 'export const port = process.env.PORT;'],
  noRestrictedGlobals: [
    'server/src/money/payments/fetches.ts',
    `export const answer = () => fetch('https://example.com');`,
  ],
  noUnusedTemplateLiteral: ['test/template.ts', 'export const one = `one`;'],
  noUselessElse: [
    'test/else.ts',
    'export function pick(it: number) {\n  if (it > 1) {\n    return 1;\n  } else {\n    return 2;\n  }\n}',
  ],
  useCollapsedElseIf: [
    'test/collapsed.ts',
    'export function pick(it: number) {\n  let picked = 0;\n  if (it > 1) {\n    picked = 1;\n  } else {\n    if (it > 0) {\n      picked = 2;\n    }\n  }\n  return picked;\n}',
  ],
  useConsistentArrayType: ['test/array.ts', 'export const none: Array<number> = [];'],
  useConsistentTypeDefinitions: ['test/type.ts', 'export type Room = { name: string };'],
  useErrorCause: [
    'test/cause.ts',
    'export function parse(text: string) {\n  try {\n    return JSON.parse(text);\n  } catch (error) {\n    throw new Error(String(error));\n  }\n}',
  ],
  useFilenamingConvention: ['server/src/money/payments/payment.repository.ts', 'export const one = 1;'],
  useNodejsImportProtocol: ['test/protocol.ts', `import { join } from 'path';\nexport const here = join('.');`],
  useThrowOnlyError: ['test/throw.ts', `export function fail() {\n  throw 'no';\n}`],
  noConsole: ['server/src/money/payments/console.ts', `console.log('here');\nexport const one = 1;`],
  noEvolvingTypes: [
    'test/evolving.ts',
    'export function grow() {\n  const all = [];\n  all.push(1);\n  return all;\n}',
  ],
  noSkippedTests: ['test/skipped.test.ts', `import test from 'ava';\n\ntest.skip('later', (t) => t.pass());`],
  'no-decorators.grit': ['test/decorator.ts', 'const plain = () => {};\n\n@plain\nexport class Room {}'],
  'no-ambient-clock.grit': ['server/src/money/payments/clock.ts', 'export const now = () => new Date();'],
  'no-api-path.grit': ['server/src/money/payments/path.ts', `export const path = '/api/v1/payments';`],
};

const env = 'export const port = process.env.PORT;';
const log = `console.log('ready');`;
const flush = 'export const save = (em: { flush(): number }) => em.flush();';
const barrel = `export { one } from './one.ts';`;

export const exempt: readonly Sample[] = [
  ['server/src/config/config.ts', env],
  ['mock/src/commands/mock.ts', `${env}\n${log}`],
  ['test/support/env.ts', `${env}\n${log}\n${flush}`],
  ['server/src/main.ts', log],
  ['server/src/platform/database/transaction.ts', flush],
  ['server/src/platform/database/statement.ts', 'export const here = (em: { getKysely(): number }) => em.getKysely();'],
  ['server/src/kit/clock.ts', 'export const clock = { now: () => new Date() };'],
  ['server/src/kit/ids.ts', 'export const shake = () => Math.random();'],
  ['sdk/src/index.ts', barrel],
  ['server/src/start/tillhook.ts', barrel],
  [
    'server/src/platform/database/migrations/Migration20260101.ts',
    `export function up() {\n${lines(410).replaceAll('console.log', 'Number')}\n}`,
  ],
  ['test/ava.config.js', 'export default {};'],
];

function numbered(): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `one${count}`;
  };
}
