import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

export interface Alert {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; description: string; runbook_url: string };
}

export interface Recording {
  record: string;
  expr: string;
}

export interface Panel {
  id: number;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  links?: { url: string }[];
  targets: { expr: string; legendFormat: string }[];
}

export interface Runbook {
  alert: string;
  text: string;
}

const opsFolder = new URL('../../../ops/', import.meta.url);
export const opsPath = (file: string) => fileURLToPath(new URL(file, opsFolder));
const readOps = (file: string) => readFileSync(opsPath(file), 'utf8');

interface Rules {
  groups: { rules: (Alert | Recording)[] }[];
}

const rules = (parse(readOps('prometheus/alerts.yaml')) as Rules).groups.flatMap((group) => group.rules);
export const alerts = rules.filter((rule) => 'alert' in rule);
export const recordings = rules.filter((rule) => 'record' in rule);
export const alertTests = readOps('prometheus/alerts.test.yaml');

export const dashboard = JSON.parse(readOps('grafana/tillhook.json')) as {
  panels: Panel[];
  templating: { list: { name: string }[] };
};
export const { panels } = dashboard;

const guides = new URL('guides/', import.meta.resolve('@tillhook/docs/package.json'));
export const runbooksText = readFileSync(new URL('runbooks.md', guides), 'utf8');
export const operationsText = readFileSync(new URL('operations.md', guides), 'utf8');
/** The text of `ops/database.md`. */
export const databaseText = readOps('database.md');
export const runbooks: Runbook[] = [...runbooksText.matchAll(/^## `(\w+)`\n\n([\s\S]*?)(?=^## |$(?![\s\S]))/gm)].map(
  ([, alert = '', text = '']) => ({ alert, text }),
);

export function sectionOf(text: string, heading: string): string {
  const [, section] = text.split(`\n## ${heading}\n`);
  if (section === undefined) throw new Error(`The document has no section "${heading}".`);
  return section.split(/^## /m)[0] ?? '';
}

export function codeIn(text: string, language: string): string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, code = '']) => code);
}

export const runbookQueries = codeIn(runbooksText, 'promql').flatMap((code) => code.trim().split('\n'));

/** The expression of each recording rule replaces the name of the rule. */
export function withoutRecordings(expr: string): string {
  return recordings.reduce((text, { record, expr: inner }) => text.replaceAll(record, `(${inner})`), expr);
}
