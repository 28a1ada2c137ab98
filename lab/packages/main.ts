/**
 * Tests the packages as users install them: from tarballs, in projects outside the repository.
 * See docs/decisions/tests.md, "Packages are tried from their tarballs".
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Check, runChecks } from './checks.ts';
import { endAll } from './processes.ts';
import { installProjects, type Projects, pack, type Tarballs } from './projects.ts';
import { publishedChecks } from './published-checks.ts';
import { recipeChecks } from './recipe-checks.ts';
import { runtimeChecks, startPackedMock } from './runtime-checks.ts';
import { tarballChecks } from './tarball-checks.ts';
import { typeChecks } from './type-checks.ts';

const { into } = parseArgs({ options: { into: { type: 'string' } } }).values;
const timeLimitMs = (into ? 20 : 12) * 60_000;
const home = mkdtempSync(join(tmpdir(), 'tillhook-packages-'));

process.on('exit', () => {
  endAll();
  rmSync(home, { recursive: true, force: true, maxRetries: 3 });
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
setTimeout(() => end('The checks of the packages took too long.'), timeLimitMs).unref();

const counts = { passed: 0, failed: 0 };
try {
  const tarballs = await pack(into ? emptied(into) : home);
  await check(tarballs, await installProjects(home, tarballs));
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  if (isWithoutRegistry(message)) {
    console.log(`NO REGISTRY CAN BE REACHED: THE PACKAGES ARE NOT TESTED.\n${message}`);
    process.exit(into || process.env.CI === 'true' ? 1 : 0);
  }
  counts.failed++;
  console.log(`✘ ${message}`);
}
end();

function emptied(folder: string): string {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** The program fails because of an unreachable registry only with CI=true or in a release. */
function isWithoutRegistry(told: string): boolean {
  return /^npm .*error code (ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|SELF_SIGNED_CERT_IN_CHAIN)$/ms.test(
    told,
  );
}

async function check(tarballs: Tarballs, projects: Projects): Promise<void> {
  const mock = startPackedMock(projects);
  // If the mock does not start, only the checks that need the mock fail.
  const started = mock.catch(() => null);
  try {
    const checks: Check[] = [
      ...recipeChecks(projects),
      ...tarballChecks(tarballs, projects.consumer),
      ...runtimeChecks(projects, mock),
      ...(await typeChecks(projects)),
      ...(into ? await publishedChecks({ home, tarballs, projects, mock }) : []),
    ];
    Object.assign(counts, await runChecks(checks, 2));
  } finally {
    await (await started)?.stop();
  }
}

function end(problem?: string): never {
  if (problem) {
    counts.failed++;
    console.log(`✘ ${problem}`);
  }
  console.log(`packages: ${counts.passed} passed, ${counts.failed} failed`);
  process.exit(counts.failed === 0 ? 0 : 1);
}
