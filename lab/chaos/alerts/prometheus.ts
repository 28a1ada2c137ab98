import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@tillhook/test/support/network/free-port.ts';
import { opsPath } from '@tillhook/test/support/ops/ops-files.ts';

export interface FiringAlert {
  name: string;
  severity: string;
  runbookUrl: string;
}

export interface Prometheus {
  firing(): Promise<FiringAlert[]>;
  ask(expr: string): Promise<number | null>;
}

interface Settings {
  program: string;
  targets: readonly string[];
  publicUrl: string;
}

const patienceMs = 30_000;
const pauseMs = 100;

export async function startPrometheus(
  running: AsyncDisposableStack,
  { program, targets, publicUrl }: Settings,
): Promise<Prometheus> {
  const home = mkdtempSync(join(tmpdir(), 'tillhook-prometheus-'));
  running.defer(() => rmSync(home, { recursive: true, force: true }));
  const configFile = join(home, 'prometheus.yaml');
  const configuration = {
    global: { scrape_interval: '1s', evaluation_interval: '1s', external_labels: { tillhook_url: publicUrl } },
    rule_files: [opsPath('prometheus/alerts.yaml')],
    scrape_configs: [
      { job_name: 'tillhook', static_configs: [{ targets: targets.map((target) => new URL(target).host) }] },
    ],
  };
  // Prometheus reads YAML, and JSON is valid YAML.
  writeFileSync(configFile, JSON.stringify(configuration));
  const address = `127.0.0.1:${await freePort()}`;
  const flags = [`--config.file=${configFile}`, `--storage.tsdb.path=${join(home, 'data')}`, '--log.level=error'];
  const child = spawn(program, [...flags, `--web.listen-address=${address}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  running.defer(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const get = async (path: string) => (await fetch(`http://${address}${path}`)).json() as Promise<{ data: unknown }>;
  await waitUntilReady(`http://${address}/-/ready`);
  return {
    async firing() {
      const { alerts } = (await get('/api/v1/alerts')).data as { alerts: ApiAlert[] };
      return alerts
        .filter(({ state }) => state === 'firing')
        .map(({ labels, annotations }) => ({
          name: labels.alertname,
          severity: labels.severity,
          runbookUrl: annotations.runbook_url,
        }));
    },
    async ask(expr) {
      const { result } = (await get(`/api/v1/query?query=${encodeURIComponent(expr)}`)).data as ApiVector;
      return result[0] ? Number(result[0].value[1]) : null;
    },
  };
}

interface ApiAlert {
  state: string;
  labels: { alertname: string; severity: string };
  annotations: { runbook_url: string };
}

interface ApiVector {
  result: { value: [time: number, value: string] }[];
}

async function waitUntilReady(url: string): Promise<void> {
  for (const deadline = Date.now() + patienceMs; Date.now() < deadline; await sleep(pauseMs))
    if ((await fetch(url).catch(() => null))?.ok) return;
  throw new Error('Prometheus did not start.');
}
