/** Each alert has a runbook, and what the runbooks tell an operator to type works. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { createTestDatabase } from '../support/database/database.ts';
import { alerts, codeIn, runbooks, runbooksText } from '../support/ops/ops-files.ts';
import { sources } from '../support/pages/rendered-pages.ts';
import { runTillhook } from '../support/server/command.ts';

test('each alert has a runbook with its name, in the same order, and each runbook an alert', (t) => {
  t.deepEqual(
    runbooks.map(({ alert }) => alert),
    alerts.map(({ alert }) => alert),
  );
});

test('each alert links to its runbook, below the address in the external label', (t) => {
  for (const { alert, annotations } of alerts)
    t.is(annotations.runbook_url, `{{ $externalLabels.tillhook_url }}/docs/runbooks#${alert}`);
});

test('each runbook begins with its severity, and says what it means, what to look at, what to do, and when it is over', (t) => {
  for (const { alert, text } of runbooks) {
    const leads = [...text.matchAll(/^\*\*(.+?)\.\*\*/gm)].map(([, lead = '']) => lead);
    const severity = alerts.find((one) => one.alert === alert)?.labels.severity ?? '';
    t.deepEqual(
      leads.map((lead) => lead.toLowerCase()),
      [severity, 'meaning', 'look at', 'do', 'over when'],
      alert,
    );
    t.true(codeIn(text, 'promql').length + codeIn(text, 'sh').length > 0, `${alert} has nothing to type`);
  }
  t.true(runbooks.length > 20);
});

test('each link between runbooks leads to one of them', (t) => {
  const links = [...runbooksText.matchAll(/\]\(#(\w+)\)/g)].map(([, name = '']) => name);

  for (const name of links)
    t.true(
      runbooks.some(({ alert }) => alert === name),
      name,
    );
  t.true(links.length > 5);
});

test('each statement for Postgres in the runbooks can be run', async (t) => {
  const database = await createTestDatabase();
  t.teardown(() => database.drop());
  const statements = codeIn(runbooksText, 'sql');

  for (const statement of statements) await t.notThrowsAsync(database.query(statement), statement);
  t.true(statements.length > 3);
});

const nowhere = {
  DATABASE_URL: 'postgres://none@127.0.0.1:1/none',
  MASTER_KEYS: `a:${Buffer.alloc(32).toString('base64')}`,
};

test('each command of the runbooks is one that tillhook understands', async (t) => {
  const lines = [...runbooksText.matchAll(/npx tillhook ([^`\n>]+)/g)].map(([, line = '']) => line.trim());
  const commands = lines.filter((line) => line !== 'works on the database of');

  for (const command of commands) {
    const words = command.replaceAll(/\b(MERCHANT_)?ID\b/g, '01997c3e-6f1d-7cc0-8e0b-2f5d9a1b4c7e').split(/\s+/);
    const { code, stderr } = await runTillhook(nowhere, ...words);
    // 2 would mean wrong arguments. With right ones, the command gets as far as the database, which is not there.
    t.is(code, 1, `${command}: ${stderr}`);
  }
  t.true(commands.length > 10);
});

test('each log message that the runbooks search for is written by the server', (t) => {
  const code = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(sources, file), 'utf8'))
    .join('\n');
  const patterns = [...runbooksText.matchAll(/(?:grep|-e) '([^']+)'/g)].map(([, pattern = '']) => pattern);
  const messages = patterns.filter((pattern) => !pattern.startsWith('"level"'));

  for (const message of messages) t.true(code.includes(message), message);
  t.true(messages.length > 8);
});

test('each block of shell in the runbooks can be parsed by a shell', (t) => {
  for (const block of codeIn(runbooksText, 'sh'))
    t.notThrows(() => execFileSync('bash', ['-n'], { input: block, stdio: ['pipe', 'pipe', 'pipe'] }), block);
});
