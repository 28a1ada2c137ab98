/** See docs/decisions/sdk.md, "Methods are generated, not inferred". */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readContract } from '@tillhook/openapi';
import { generatedFiles } from './files.ts';

const folder = `${import.meta.dirname}/../src/generated`;
const { version } = JSON.parse(readFileSync(`${import.meta.dirname}/../package.json`, 'utf8'));
const files = generatedFiles(readContract().model, version);
mkdirSync(folder, { recursive: true });
const stale = readdirSync(folder).filter((name) => !(name in files));
const changed = Object.entries(files).filter(([name, text]) => read(name) !== text);

if (process.argv.includes('--check')) {
  const drifted = [...changed.map(([name]) => name), ...stale];
  if (drifted.length > 0) {
    console.error(`sdk/src/generated is out of date (${drifted.join(', ')}): run npm run generate.`);
    process.exitCode = 1;
  }
} else {
  for (const name of stale) rmSync(`${folder}/${name}`);
  for (const [name, text] of changed) writeFileSync(`${folder}/${name}`, text);
}

function read(name: string): string | undefined {
  try {
    return readFileSync(`${folder}/${name}`, 'utf8');
  } catch {
    return undefined;
  }
}
