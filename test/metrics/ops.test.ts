/** The dashboard for Grafana and the alert rules use only figures, labels and values that exist. */
import { readFileSync } from 'node:fs';
import { startReceiver } from '@tillhook/mock/receiver';
import test, { type ExecutionContext } from 'ava';
import { parse } from 'yaml';
import { eventually } from '../support/eventually.ts';
import { payOnce, unreachableUrl } from '../support/receivers/deliveries.ts';
import { startServer } from '../support/server/tillhook.ts';

const read = (path: string) => readFileSync(new URL(`../../ops/${path}`, import.meta.url), 'utf8');

interface Rules {
  groups: { rules: { alert: string; expr: string; labels: object; annotations: { summary: string } }[] }[];
}

interface Dashboard {
  panels: { title: string; targets: { expr: string; legendFormat: string }[] }[];
}

const rules = (parse(read('prometheus/alerts.yaml')) as Rules).groups.flatMap((group) => group.rules);
const { panels } = JSON.parse(read('grafana/tillhook.json')) as Dashboard;

/** Makes every figure appear: with a successful and a failed delivery, on a server that counts calls. */
async function everyFigure(t: ExecutionContext): Promise<string> {
  const server = await startServer(t, { RATE_LIMITS: 'on', DELIVERY_RETRY_DELAYS_MS: '' });
  const receiver = await startReceiver();
  t.teardown(() => receiver.stop());
  const { client } = await server.createMerchant();
  for (const url of [receiver.url, unreachableUrl]) await client.webhookEndpoints.register({ url });
  await payOnce(client);
  await server.database.query('alter table rate_limit rename to gone');
  const text = async () => (await fetch(`${server.url}/metrics`)).text();
  // Some calls may have been counted ahead of the limit. The first one after them cannot be counted.
  const textAfterCall = async () => {
    await client.account.get();
    return text();
  };
  await eventually(textAfterCall, (seen) => seen.includes('tillhook_rate_limit_uncounted_calls_total{'));
  for (const outcome of ['attempts_exhausted', 'delivered'])
    await eventually(text, (seen) => seen.includes(`{outcome="${outcome}"} 1`));
  await eventually(text, (seen) => seen.includes('last_success_timestamp_seconds{job_name="deliver"}'));
  return text();
}

test('the dashboard and the alerts use only figures that exist', async (t) => {
  const text = await everyFigure(t);
  const questions = [
    ...rules.map(({ alert, expr }) => ({ who: alert, expr })),
    ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ who: title, expr }))),
  ];

  for (const { who, expr } of questions) {
    const names = expr.match(/\b(?:tillhook|nodejs|process|delivery)_[a-z0-9_]+/g) ?? [];
    t.true(names.length > 0, `${who} uses no figure`);
    for (const name of names) t.regex(text, new RegExp(`^${name}[ {]`, 'm'), `${who}: ${name}`);
    for (const label of labelsIn(expr)) t.regex(text, new RegExp(`[{,]${label}="`), `${who}: ${label}`);
    for (const [matcher] of expr.matchAll(/\b[a-z]+="[a-z]+"/g)) t.true(text.includes(matcher), `${who}: ${matcher}`);
  }
});

/** The labels by which an expression groups or selects. */
function labelsIn(expr: string): string[] {
  const grouped = [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/,\s*/));
  return [...grouped, ...[...expr.matchAll(/([a-z_]+)(?:=~|!=|=)"/g)].map(([, label = '']) => label)];
}

test('every figure of the service is on the dashboard or in an alert, except two', async (t) => {
  const text = await everyFigure(t);
  const asked = [...rules.map(({ expr }) => expr), ...panels.flatMap((panel) => panel.targets.map(({ expr }) => expr))];
  const ours = [...text.matchAll(/^# TYPE ((?:tillhook|delivery)_\S+)/gm)].map(([, name = '']) => name);

  const forgotten = ours.filter((name) => !asked.some((expr) => expr.includes(name)));

  t.deepEqual(forgotten, ['tillhook_job_runs_total', 'tillhook_job_duration_seconds']);
});

test('each alert says what is wrong in a sentence, and each name is used once', (t) => {
  for (const { annotations } of rules) t.regex(annotations.summary, /^[A-Z].*\.$/);
  for (const names of [rules.map(({ alert }) => alert), panels.map(({ title }) => title)])
    t.is(new Set(names).size, names.length);
});
