/** `npx tillhook ledger check` names the row that breaks each of the ten invariants. */
import test from 'ava';
import { type Books, createBooks, spoil, spoiledRow } from '../../support/money/books.ts';
import type { Spoiling } from '../../support/money/spoiling.ts';
import { spoilings } from '../../support/money/spoilings.ts';
import { runTillhook } from '../../support/server/command.ts';
import { serverWithContext } from '../../support/server/tillhook.ts';

const server = serverWithContext({ ROLE: 'api' });

test('a breach of each of the ten invariants gives exit 1 and names the row', async (t) => {
  const oneOfEach = [...Map.groupBy(spoilings, ({ invariant }) => invariant).values()].flatMap(
    ([first]) => first ?? [],
  );
  const spoiled: { spoiling: Spoiling; books: Books }[] = [];
  for (const spoiling of oneOfEach) spoiled.push({ spoiling, books: await createBooks(server()) });
  for (const { spoiling, books } of spoiled) await server().database.query(spoil(spoiling, books));

  const { code, stdout } = await runTillhook({ DATABASE_URL: server().database.url }, 'ledger', 'check', '--json');

  t.is(code, 1);
  const { breaches } = JSON.parse(stdout);
  for (const { spoiling, books } of spoiled) {
    const { invariant, says } = spoiling;
    const row = spoiledRow(spoiling, books);
    const isNamed = (breach: Record<string, unknown>) => breach.says === says && breach.id === row.id;
    t.like(breaches.find(isNamed), { invariant, ...row }, `${says}: ${row.table} ${row.id}`);
  }
  t.is(spoiled.length, 10);
});
