/** Tests that Prometheus accepts rules and queries, and that alerts fire and resolve as `alerts.test.yaml` says. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { opsPath, panels, runbookQueries } from '../../support/ops/ops-files.ts';
import { findPrometheus } from '../../support/programs/installed-programs.ts';

const execute = promisify(execFile);

/** Without promtool the test is skipped; with CI=true it fails. */
const onPromtool = findPrometheus('promtool') || process.env.CI === 'true' ? test : test.skip;

function requirePromtool(): string {
  const path = findPrometheus('promtool');
  if (path) return path;
  throw new Error('promtool is missing: unpack it as test/services/README.md says, or set PROMTOOL.');
}

async function accepts(t: ExecutionContext, ...args: string[]): Promise<void> {
  const { code, stdout, stderr } = await execute(requirePromtool(), args).then(
    (output) => ({ code: 0, ...output }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
  t.is(code, 0, `${stdout}${stderr}`);
}

onPromtool('promtool accepts the rules, and the example configuration that loads them', async (t) => {
  await accepts(t, 'check', 'rules', '--lint=all', '--lint-fatal', opsPath('prometheus/alerts.yaml'));
  await accepts(t, 'check', 'config', opsPath('prometheus/prometheus.yaml'));
});

onPromtool('promtool accepts the example for a cluster, without its service discovery', async (t) => {
  const file = join(makeHome(t), 'prometheus.yaml');
  const example = readFileSync(opsPath('prometheus/prometheus.kubernetes.yaml'), 'utf8');
  // Debian's promtool does not support Kubernetes, so a list of addresses replaces each service discovery.
  const searches = /kubernetes_sd_configs:\n +- role: pod\n +namespaces: \{.*\}/g;
  writeFileSync(file, example.replace('alerts.yaml', opsPath('prometheus/alerts.yaml')).replaceAll(searches, list));

  t.is(example.match(searches)?.length, 2);
  await accepts(t, 'check', 'config', file);
});

const list = "static_configs: [{ targets: ['127.0.0.1:9464'] }]";

function makeHome(t: ExecutionContext): string {
  const home = mkdtempSync(join(tmpdir(), 'tillhook-queries-'));
  t.teardown(() => rmSync(home, { recursive: true }));
  return home;
}

onPromtool('each alert fires during a fault and resolves after the fault, and no alert fires without a fault', (t) =>
  accepts(t, 'test', 'rules', opsPath('prometheus/alerts.test.yaml')),
);

onPromtool('promtool accepts each query of the runbooks and of the dashboard', async (t) => {
  const queries = [...runbookQueries, ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))];
  const rules = queries.map((expr, index) => ({
    record: `query:${index}`,
    expr: expr.replaceAll('$__rate_interval', '5m'),
  }));
  const file = join(makeHome(t), 'queries.yaml');
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'queries', rules }] }));

  await accepts(t, 'check', 'rules', file);
  t.true(queries.length > 60);
});
