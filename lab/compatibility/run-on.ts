import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import type { TestedVersion } from '@tillhook/docs/figures/postgres-versions.ts';
import { exactVersion } from '@tillhook/test/support/run/chosen-postgres.ts';
import { reportsDirectory } from '../support/reports-directory.ts';

const testFolder = fileURLToPath(new URL('../../test/', import.meta.url));

export async function runOn(version: string, files: readonly string[]): Promise<TestedVersion> {
  const exact = exactVersion(version);
  // The program is started without npm, because npm does not always forward a signal.
  const child = spawn(process.execPath, ['--conditions=@tillhook/source', 'support/run/run.ts', 'test', ...files], {
    cwd: testFolder,
    env: { ...process.env, TEST_POSTGRES: version },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      child.once('close', () => process.exit(1)).kill(signal);
    });
  }
  const log = createWriteStream(join(reportsDirectory, `compatibility-${version}.log`));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      log.write(text);
    });
  }
  const code = await new Promise<number>((resolve) => child.on('close', (status) => resolve(status ?? 1)));
  log.end();
  const { passed, failed, skipped } = countOutcomes(output);
  const isBroken = failed === 0 && (code !== 0 || passed === 0 || skipped > 0);
  if (isBroken || failed > 0) console.log(output);
  if (skipped > 0) console.log(`Postgres ${exact}: ${skipped} tests were skipped.`);
  return { version: exact, passed, failed: isBroken ? 1 : failed };
}

interface Outcomes {
  passed: number;
  failed: number;
  skipped: number;
}

function countOutcomes(output: string): Outcomes {
  const plain = stripVTControlCharacters(output);
  const summary = plain.split(/^\s*─\s*$/m).at(-1) ?? '';
  const count = (outcome: string) => Number(new RegExp(`^\\s*(\\d+) tests? ${outcome}$`, 'm').exec(summary)?.[1] ?? 0);
  // If a test failed, ava does not print the number of passed tests.
  const marks = [...plain.matchAll(/^\s*✔ .+ › /gm)].length;
  return { passed: count('passed') || marks, failed: count('failed'), skipped: count('skipped') };
}
