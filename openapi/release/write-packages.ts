/** With `--check`, this program writes nothing, and throws when a file is out of date. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readContract } from '../model/read-contract.ts';
import { outOfDate, packageTexts, root } from './package-texts.ts';

const texts = packageTexts(root, readContract());
const stale = outOfDate(root, texts);
if (process.argv.includes('--check') && stale.length > 0) {
  throw new Error(`${stale.join(', ')}: out of date. Run \`npm run generate\`.`);
}
for (const path of stale) writeFileSync(join(root, path), texts[path] ?? '');
