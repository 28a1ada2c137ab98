import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readContractFrom } from '@tillhook/openapi';
import test, { type ExecutionContext } from 'ava';

const titleOf = (document: object) => (document as { info: { title: string } }).info.title;
const yaml = 'openapi: 3.1.0\ninfo: { title: As written }\n';

/** Writes a contract and its parsed form of this YAML. Their titles differ, so that a test sees which one was read. */
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

test('the parsed form is read in place of the YAML', (t) => {
  const { document, text, lineOf } = readContractFrom(contractBeside(t, yaml));

  t.is(titleOf(document), 'As parsed');
  t.is(text, yaml);
  t.is(lineOf(['info', 'title']), 2);
});

test('a YAML that has changed since it was parsed is read itself', (t) => {
  const { document } = readContractFrom(contractBeside(t, yaml.replace('As written', 'As it was')));

  t.is(titleOf(document), 'As written');
});
