/** `npm run pictures` runs `every-page.ts`; with `--since` it runs the comparison in `since.ts`. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { compareSince } from './since.ts';

try {
  process.exitCode = await main();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      accept: { type: 'boolean' },
      readme: { type: 'boolean' },
      draw: { type: 'string' },
      since: { type: 'string' },
      // A pattern of ava for the names of pages, such as `dashboard*`.
      match: { type: 'string' },
    },
  });
  const { since, match, ...mode } = values;
  const chosen = match ? [`--match=${match}`] : [];
  if (since !== undefined) return compareSince(since, chosen);
  const flags = Object.entries(mode).flatMap(([name, value]) => [
    `--${name}`,
    ...(typeof value === 'string' ? [value] : []),
  ]);
  const args = ['test', '--config', 'pictures.config.js', 'pictures/every-page.ts', ...chosen, '--', ...flags];
  const program = [...process.execArgv, fileURLToPath(new URL('../support/run/run.ts', import.meta.url))];
  return spawnSync(process.execPath, [...program, ...args], { stdio: 'inherit' }).status ?? 1;
}
