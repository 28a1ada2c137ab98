/** Tests that our Grafana dashboard has the fields that Grafana's types require, and no other fields. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { opsPath } from '../../support/ops/ops-files.ts';
import { dashboardCheck, hasDashboardCheck } from '../../support/programs/installed-programs.ts';

/** Without the program `check-dashboard` the test is skipped; with CI=true it fails. */
const onDashboardCheck = hasDashboardCheck() || process.env.CI === 'true' ? test : test.skip;

function faultsIn(file: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(dashboardCheck, [file], (error, _stdout, stderr) => resolve(error ? stderr || error.message : ''));
  });
}

function changedDashboard(t: ExecutionContext, change: (text: string) => string): string {
  const home = mkdtempSync(join(tmpdir(), 'tillhook-dashboard-'));
  t.teardown(() => rmSync(home, { recursive: true }));
  const file = join(home, 'dashboard.json');
  writeFileSync(file, change(readFileSync(opsPath('grafana/tillhook.json'), 'utf8')));
  return file;
}

onDashboardCheck("the dashboard has all fields that Grafana's types require, and no others", async (t) => {
  t.is(await faultsIn(opsPath('grafana/tillhook.json')), '');
});

onDashboardCheck('the program finds a field of another type, and a link with an unknown field', async (t) => {
  const wrongType = changedDashboard(t, (text) => text.replace('"unit": "s"', '"unit": 5'));
  const unknown = changedDashboard(t, (text) => text.replace('"targetBlank": true', '"targetWindow": true'));

  t.regex(await faultsIn(wrongType), /cannot unmarshal number into .*unit/);
  t.regex(await faultsIn(unknown), /unexpected field 'targetWindow'/);
});
