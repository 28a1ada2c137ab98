import { readFileSync } from 'node:fs';
import { type ChaosRun, chaosText, readPublishedChaos } from '@tillhook/docs/figures/chaos.ts';
import test from 'ava';
import { replaceRuns } from './report.ts';

const machine = { cpu: 'Test', cores: 2, system: 'linux', node: '24' };
const figures = { expected: 7, received: 7, lost: 0, duplicated: 0, maxDuplicated: 0, unlogged: 0 };
const runOf = (name: string, day: string): ChaosRun => ({
  ...{ name, measuredAt: `${day}T00:00:00.000Z`, machine, settings: { seconds: 6 } },
  ...{ scenario: `What ${name} does`, ...figures, recoveredSeconds: null, notes: [`seen in ${name}`], broken: [] },
});
const old = [runOf('one', '2026-11-01'), runOf('two', '2026-11-01'), runOf('gone', '2026-11-01')];
const order = ['zero', 'one', 'two'];

test('publishing replaces the earlier results of the same scenarios, and keeps the results of other existing scenarios', (t) => {
  const fresh = [runOf('two', '2026-11-02'), runOf('zero', '2026-11-02'), runOf('two', '2026-11-02')];
  const runs = replaceRuns(old, fresh, order);

  t.deepEqual(
    runs.map(({ name, measuredAt }) => [name, measuredAt.slice(0, 10)]),
    [
      ['zero', '2026-11-02'],
      ['one', '2026-11-01'],
      ['two', '2026-11-02'],
      ['two', '2026-11-02'],
    ],
  );
});

test('each run is shown with its day and notes, and runs on the same day, machine and settings share a line', (t) => {
  const text = chaosText({ runs: replaceRuns(old, [runOf('zero', '2026-11-02')], order) });

  t.regex(text, /\| What zero does \| 7 \| \*\*0\*\* \| 0 \(0\) \|.*\| 2026.11.02 \|/);
  t.true(text.includes('- What zero does: seen in zero.'));
  t.true(text.includes('- On 2026-11-02, on 2 × Test, linux, Node 24, with seconds 6: `zero`.'));
  t.true(text.includes('- On 2026-11-01, on 2 × Test, linux, Node 24, with seconds 6: `one`, `two`.'));
});

test('the documentation has a row for each scenario', (t) => {
  const table = readFileSync(new URL('./README.md', import.meta.url), 'utf8');
  const names = [...table.matchAll(/^\| (`[a-z-]+`(?: `[a-z-]+`)*) \|/gm)].flatMap(([, cell = '']) =>
    cell.replaceAll('`', '').split(' '),
  );
  const published = new Set(readPublishedChaos().runs.map(({ name }) => name));

  t.deepEqual([...published].sort(), names.filter((name) => name !== '--only').sort());
  t.true(names.length > 12);
});
