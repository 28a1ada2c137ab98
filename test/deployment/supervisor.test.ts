import { loadConfig } from '@tillhook/server/src/config/config.ts';
import test from 'ava';
import { codeIn, operationsText, sectionOf } from '../support/ops/ops-files.ts';
import { commandOf } from './files.ts';

const deploy = sectionOf(operationsText, 'Deploy');
const [unit = '', ofWorker = ''] = codeIn(deploy, 'ini').map(withoutLineBreaks);
const [inShell = ''] = codeIn(deploy, 'sh')
  .map(withoutLineBreaks)
  .filter((code) => code.startsWith('ROLE='));

function withoutLineBreaks(code: string): string {
  return code.replaceAll(/\\\n\s*/g, '');
}

function lineOf(name: string, text = unit): string {
  return new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1] ?? '';
}

function variablesOf(text: string): Record<string, string> {
  return Object.fromEntries(
    Array.from(text.matchAll(/\b([A-Z_]+)=(\S+)/g), ([, name = '', value = '']) => [name, value]),
  );
}

test('the commands of the supervisor files have the flags of npm start, and run the Node that npm installed', (t) => {
  const [, ...args] = commandOf('start');

  t.is(lineOf('ExecStart'), [`${lineOf('WorkingDirectory')}/node_modules/.bin/node`, ...args].join(' '));
  t.is(inShell.trim().replace(/^([A-Z_]+=\S+ )+/, ''), ['node_modules/.bin/node', ...args].join(' '));
});

test('an API and a worker on one machine have different ports', (t) => {
  const given = [lineOf('Environment'), lineOf('Environment', ofWorker)].map(variablesOf);
  const [api, worker] = given.map((variables) => loadConfig(variables));

  t.deepEqual([api?.role, worker?.role], ['api', 'worker']);
  t.is(new Set([api?.port, api?.metricsPort, worker?.port, worker?.metricsPort]).size, 4);
  t.deepEqual(variablesOf(inShell), given[1]);
});

test('systemd waits ten seconds longer than the process needs to shut down, and restarts the process without a limit', (t) => {
  t.is(Number(lineOf('TimeoutStopSec')) * 1000, loadConfig({}).shutdownGraceMs + 10_000);
  // By default, systemd gives up after five starts in ten seconds.
  t.true(Number(lineOf('RestartSec')) * 5 > 10);
});
