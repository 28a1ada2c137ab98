import { readContract } from '@tillhook/openapi';
import test, { type ExecutionContext } from 'ava';
import { eventually } from '../support/eventually.ts';
import { alerts, panels, recordings, runbookQueries, withoutRecordings } from '../support/ops/ops-files.ts';
import { payOnce, unreachableUrl } from '../support/receivers/deliveries.ts';
import { startReceiver } from '../support/receivers/receiver.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile({ RATE_LIMITS: 'on', DELIVERY_RETRY_DELAYS_MS: '' });
let made: Promise<string> | undefined;
const everyFigure = () => (made ??= makeEveryFigure());

async function makeEveryFigure(): Promise<string> {
  const receiver = await startReceiver();
  const { client } = await server().createMerchant();
  for (const url of [receiver.url, unreachableUrl]) await client.webhookEndpoints.register({ url });
  await payOnce(client);
  await server().database.query('alter table rate_limit rename to gone');
  const text = async () => (await fetch(`${server().url}/metrics`)).text();
  // A process counts some calls in advance, so the first calls may need no SQL statement, which would fail.
  const textAfterCall = async () => {
    await client.account.get();
    return text();
  };
  await eventually(textAfterCall, (seen) => seen.includes('tillhook_rate_limit_uncounted_calls_total{'));
  for (const outcome of ['attempts_exhausted', 'delivered'])
    await eventually(text, (seen) => seen.includes(`{outcome="${outcome}"} 1`));
  for (const job of ['deliver', 'expire-checkouts', 'settle-transfers', 'settle-refunds', 'check-ledger'])
    await eventually(text, (seen) => seen.includes(`last_success_timestamp_seconds{job_name="${job}"}`));
  await receiver.stop();
  return text();
}

const ofPanels = panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ who: title, expr })));
const questions = [
  ...alerts.map(({ alert, expr }) => ({ who: alert, expr })),
  ...recordings.map(({ record, expr }) => ({ who: record, expr })),
  ...runbookQueries.map((expr) => ({ who: 'a runbook', expr })),
  ...ofPanels,
];

/** Metrics that Prometheus itself adds, as it adds the labels of a target. */
const ofPrometheus = ['up', 'ALERTS'];
const targetLabels = ['job', 'instance'];

test('the dashboard, the rules and the runbooks use only existing metrics, each with its existing labels and values', async (t) => {
  const metrics = await everyFigure();
  for (const { who, expr } of questions) {
    const full = withoutRecordings(expr);
    t.false(/\btillhook:/.test(full), `${who} uses a recording rule that does not exist`);
    const names = namesIn(full);
    t.true(names.length > 0 || ofPrometheus.some((name) => full.includes(`${name}{`)), `${who} uses no figure`);
    for (const name of names) t.regex(metrics, new RegExp(`^${name}[ {]`, 'm'), `${who}: ${name}`);
    for (const label of groupedIn(full)) t.regex(metrics, new RegExp(`[{,]${label}="`), `${who}: ${label}`);
    for (const selector of selectorsIn(full)) assertExists(t, { who, metrics, selector });
  }
  t.true(questions.length > 80);
});

interface Selector {
  name: string;
  label: string;
  values: string[];
}

/** An operation of the contract or a `status` may be missing, because the test does not cause all of them. */
function assertExists(
  t: ExecutionContext,
  { who, metrics, selector }: { who: string; metrics: string; selector: Selector },
) {
  const { name, label, values } = selector;
  if (targetLabels.includes(label)) return;
  t.regex(metrics, new RegExp(`^${name}{([^}]*,)?${label}="`, 'm'), `${who}: ${name} by ${label}`);
  const operations = readContract().model.operationById;
  for (const value of values) {
    const isKnown = label === 'operation' && (operations.has(value) || value === 'other');
    const isThere = new RegExp(`^${name}{([^}]*,)?${label}="${value}"`, 'm').test(metrics);
    t.true(isKnown || isThere || label === 'status', `${who}: ${name} with ${label} ${value}`);
  }
}

function namesIn(expr: string): string[] {
  return expr.match(/\b(?:tillhook|nodejs|process|delivery)_[a-z0-9_]+/g) ?? [];
}

/** `values` is empty if the value of the label is a pattern and not a list of values. */
function selectorsIn(expr: string): Selector[] {
  return [...expr.matchAll(/\b([a-z_0-9]+)\{([^}]*)\}/g)]
    .flatMap(([, name = '', inner = '']) =>
      [...inner.matchAll(/([a-z_]+)(=~|!~|!=|=)"([^"]*)"/g)].map(([, label = '', operator = '', value = '']) => ({
        name,
        label,
        values: /^[\w|-]+$/.test(value) && !(label === 'le' && operator === '=~') ? value.split('|') : [],
      })),
    )
    .filter(({ name }) => !ofPrometheus.includes(name));
}

function groupedIn(expr: string): string[] {
  const grouped = [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/,\s*/));
  return grouped.filter((label) => !targetLabels.includes(label) && !['alertname', 'severity'].includes(label));
}

test('every metric of the service, except two metrics, is on the dashboard or in an alert', async (t) => {
  const metrics = await everyFigure();
  const expressions = [...alerts, ...recordings, ...ofPanels].map(({ expr }) => expr);
  const ours = [...metrics.matchAll(/^# TYPE ((?:tillhook|delivery)_\S+)/gm)].map(([, name = '']) => name);

  const forgotten = ours.filter((name) => !expressions.some((expr) => expr.includes(name)));

  t.deepEqual(forgotten, ['tillhook_job_runs_total', 'tillhook_job_duration_seconds']);
});

test('each metric of an alert is on the dashboard, in a panel that links to the runbook of the alert', (t) => {
  for (const { alert, expr } of alerts) {
    const linked = panels.filter(({ links = [] }) => links.some(({ url }) => url.endsWith(`#${alert}`)));
    const shown = linked.flatMap(({ targets }) => targets.flatMap((target) => namesIn(withoutRecordings(target.expr))));
    const about = namesIn(withoutRecordings(expr));
    t.true(linked.length > 0, `no panel links to ${alert}`);
    t.true(about.length === 0 || about.some((name) => shown.includes(name)), `${alert}: the panel shows other metrics`);
  }
  const everywhere = ofPanels.map(({ expr }) => withoutRecordings(expr)).join('\n');
  for (const name of alerts.flatMap(({ expr }) => namesIn(withoutRecordings(expr))))
    t.true(everywhere.includes(name), name);
});
