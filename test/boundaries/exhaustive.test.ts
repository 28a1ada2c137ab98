/** `npm test` and `npm run test:all` print the first sentence of each file in `exhaustive/`. */
import test from 'ava';
import { firstSentence, testFiles } from '../support/run/commands.ts';

test('each file of exhaustive/ begins with a comment of one sentence', (t) => {
  const files = testFiles().filter((path) => path.startsWith('exhaustive/'));

  t.true(files.length > 0);
  for (const path of files) t.notThrows(() => firstSentence(path));
});
