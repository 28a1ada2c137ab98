/** Tests that `npx tillhook ledger check` names the row that breaks each of the ten invariants. */
import test from 'ava';
import { corruptions } from '../../support/money/corruptions.ts';
import {
  type Corruption,
  corrupt,
  corruptedRow,
  type FilledLedger,
  fillLedger,
} from '../../support/money/filled-ledger.ts';
import { runTillhook } from '../../support/server/command.ts';
import { serverWithContext } from '../../support/server/tillhook.ts';

const server = serverWithContext({ ROLE: 'api' });

test('a breach of each of the ten invariants exits with 1, and the output names the row', async (t) => {
  const oneOfEach = [...Map.groupBy(corruptions, ({ invariant }) => invariant).values()].flatMap(
    ([first]) => first ?? [],
  );
  const corrupted: { corruption: Corruption; ledger: FilledLedger }[] = [];
  for (const corruption of oneOfEach) corrupted.push({ corruption, ledger: await fillLedger(server()) });
  for (const { corruption, ledger } of corrupted) await server().database.query(corrupt(corruption, ledger));

  const { code, stdout } = await runTillhook({ DATABASE_URL: server().database.url }, 'ledger', 'check', '--json');

  t.is(code, 1);
  const { breaches } = JSON.parse(stdout);
  for (const { corruption, ledger } of corrupted) {
    const { invariant, says } = corruption;
    const row = corruptedRow(corruption, ledger);
    const isNamed = (breach: Record<string, unknown>) => breach.says === says && breach.id === row.id;
    t.like(breaches.find(isNamed), { invariant, ...row }, `${says}: ${row.table} ${row.id}`);
  }
  t.is(corrupted.length, 10);
});
