import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { createTestDatabase } from '../support/database/database.ts';
import { alerts, alertTests, codeIn, dashboard, panels, runbooks, runbooksText } from '../support/ops/ops-files.ts';
import { sources } from '../support/pages/rendered-pages.ts';
import { runTillhook } from '../support/server/command.ts';

test('each alert is tested before, during and after a fault', (t) => {
  const seen = (alert: string, value: number) =>
    [...alertTests.matchAll(new RegExp(`alertname="${alert}",alertstate="firing"}.*value: ${value} }`, 'g'))].length;

  for (const { alert } of alerts) {
    t.true(seen(alert, 1) >= 1, `${alert} never fires`);
    t.true(seen(alert, 0) >= 2, `${alert} is not tested before and after the fault`);
  }
  t.true(alerts.length > 20);
});

test('each alert pages or opens a ticket, and its text says in sentences what is wrong and what the fault means', (t) => {
  for (const { alert, labels, annotations } of alerts) {
    t.regex(labels.severity, /^(page|ticket)$/, alert);
    t.regex(annotations.summary, /^(\{\{ \$value[^}]*\}\}|[A-Z]).*\.$/, alert);
    t.regex(annotations.description, /^[A-Z][\s\S]*\.$/, alert);
  }
  const names = alerts.map(({ alert }) => alert);
  t.is(new Set(names).size, names.length);
});

test('only a few alerts page a person', (t) => {
  t.deepEqual(
    alerts.filter(({ labels }) => labels.severity === 'page').map(({ alert }) => alert),
    [
      'NoProcessAnswers',
      'DatabaseAway',
      'NoWorkerClaims',
      'DeliveriesLate',
      'DeliveriesNotAttempted',
      'NoReceiverAnswers',
      'CallsFail',
      'CallsSlow',
      'PagesFail',
      'LedgerWrong',
    ],
  );
});

test('each link of the dashboard leads to a runbook, below the address that the user of the dashboard sets', (t) => {
  const urls = panels.flatMap(({ links = [] }) => links.map(({ url }) => url));

  for (const url of urls) {
    const [, alert] = /^\$\{tillhook\}\/docs\/runbooks#(\w+)$/.exec(url) ?? [];
    t.true(
      alerts.some((one) => one.alert === alert),
      url,
    );
  }
  t.true(dashboard.templating.list.some(({ name }) => name === 'tillhook'));
  t.true(urls.length >= alerts.length);
});

test('panels have different titles and ids, and do not overlap', (t) => {
  const places = panels.map(({ gridPos: { x, y } }) => `${x},${y}`);

  for (const values of [panels.map(({ title }) => title), panels.map(({ id }) => id), places])
    t.is(new Set<string | number>(values).size, panels.length);
});

test('each alert has a runbook with its name, in the same order, and each runbook has an alert', (t) => {
  t.deepEqual(
    runbooks.map(({ alert }) => alert),
    alerts.map(({ alert }) => alert),
  );
});

test('each alert links to its runbook, below the address in the external label of Prometheus', (t) => {
  for (const { alert, annotations } of alerts)
    t.is(annotations.runbook_url, `{{ $externalLabels.tillhook_url }}/docs/runbooks#${alert}`);
});

test('each runbook begins with its severity, and says what the alert means, what to check, what to do, and when the fault is over', (t) => {
  for (const { alert, text } of runbooks) {
    const leads = [...text.matchAll(/^\*\*(.+?)\.\*\*/gm)].map(([, lead = '']) => lead);
    const severity = alerts.find((one) => one.alert === alert)?.labels.severity ?? '';
    t.deepEqual(
      leads.map((lead) => lead.toLowerCase()),
      [severity, 'meaning', 'look at', 'do', 'over when'],
      alert,
    );
    t.true(
      codeIn(text, 'promql').length + codeIn(text, 'sh').length > 0,
      `the runbook of ${alert} has no command or query`,
    );
  }
  t.true(runbooks.length > 20);
});

test('each link between runbooks leads to a runbook', (t) => {
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

test('the program tillhook understands each command of the runbooks', async (t) => {
  const lines = [...runbooksText.matchAll(/npx tillhook ([^`\n>]+)/g)].map(([, line = '']) => line.trim());
  const commands = lines.filter((line) => line !== 'works on the database of');

  for (const command of commands) {
    const words = command.replaceAll(/\b(MERCHANT_)?ID\b/g, '01997c3e-6f1d-7cc0-8e0b-2f5d9a1b4c7e').split(/\s+/);
    const { code, stderr } = await runTillhook(nowhere, ...words);
    // The exit code 2 would mean wrong arguments. With right arguments, the command fails because the database is
    // unreachable.
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
