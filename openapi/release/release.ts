/**
 * `npm run release` makes the tarballs of the SDK and the mock, and tests them by installing them as users do.
 * See docs/decisions/sdk.md, "A person publishes what the release has tried".
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { asYaml } from '../generate/served-document.ts';
import { type Contract, readContract, readContractFrom } from '../model/read-contract.ts';
import { changedFiles, publishedPackages, uncommittedFiles } from './changed-files.ts';
import { countDifferences, heaviest } from './compare-contracts.ts';
import { outOfDate, packageTexts, pagesOf, readManifest, root } from './package-texts.ts';
import { type Plan, planRelease, ReleaseRefused } from './plan.ts';

const tarballFolder = 'reports/release';

const program = new Command('npm run release --')
  .description('Makes the tarballs of @tillhook/sdk and @tillhook/mock, and tries them as their users install them.')
  .option('--dry-run', 'write only the tarballs, also when there are changes that are not committed')
  .allowExcessArguments(false)
  .addHelpText(
    'after',
    '\nExample:\n  npm run release -- --dry-run\n\nExit code: 0 done, 1 refused or failed, 2 wrong arguments.',
  )
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));

try {
  await release({ isDryRun: program.parse().opts().dryRun === true });
} catch (error) {
  if (!(error instanceof ReleaseRefused)) throw error;
  process.stderr.write(`No release: ${error.message}\n`);
  process.exitCode = 1;
}

/** A dry run does not write `openapi/released/`. */
async function release({ isDryRun }: { isDryRun: boolean }): Promise<void> {
  const present = readContract();
  const { version } = await plan(present);
  refuseStaleFiles(present);
  await checkPlace(isDryRun);
  tryPackages();
  if (isDryRun) return say('\nA dry run: only the tarballs were written.');
  writeFileSync(join(root, 'openapi/released/openapi.yaml'), asYaml(present.document));
  say(nextSteps(version));
}

async function plan(present: Contract): Promise<Plan> {
  const released = readContractFrom(join(root, 'openapi/released/openapi.yaml'));
  const differences = await countDifferences(released, present);
  const files = await Promise.all(publishedPackages.map((name) => changedFiles(root, name)));
  const { breaking, additive, texts } = differences;
  say(`Since ${released.model.version}:`);
  say(`  contract  ${breaking} changes that break a client, ${additive} additions, ${texts} changes of texts`);
  for (const [index, name] of publishedPackages.entries()) {
    say(`  ${name.padEnd(8)}  changed files: ${files[index]?.length}`);
  }
  const found = planRelease({
    released: released.model.version,
    present: present.model.version,
    difference: heaviest(differences),
    isPackageChanged: files.flat().length > 0,
  });
  say(`The next version is ${found.version}. The changes need a ${found.step} step at least.`);
  return found;
}

function refuseStaleFiles(present: Contract): void {
  const stale = outOfDate(root, packageTexts(root, present));
  if (stale.length > 0) {
    throw new ReleaseRefused(`these files are out of date: ${stale.join(', ')}.\nRun \`npm run generate\`.`);
  }
  say(`All packages and the lock file have version ${present.model.version}.`);
}

/** Throws when this clone cannot be released; a dry run only prints the reason. */
async function checkPlace(isDryRun: boolean): Promise<void> {
  const problems = [placeholderProblem(), commitProblem(await uncommittedFiles(root))].filter((text) => text !== null);
  if (problems.length > 0 && !isDryRun) throw new ReleaseRefused(problems.join('\n'));
  for (const problem of problems) say(`A release is not possible yet: ${problem}`);
}

function placeholderProblem(): string | null {
  const pages = pagesOf(readManifest(root, '').repository?.url ?? '');
  // RFC 2606 reserves `.example`, so no repository can have this address.
  return new URL(pages).hostname.endsWith('.example')
    ? `${pages} is not the address of the repository. Write the real address into \`repository\` of package.json, and run \`npm run generate\`.`
    : null;
}

function commitProblem(files: readonly string[]): string | null {
  return files.length === 0 ? null : `${files.length} files are not committed, such as ${files[0]}.`;
}

function tryPackages(): void {
  const args = ['run', 'packages', '--', '--into', join(root, tarballFolder)];
  const { status } = spawnSync('npm', args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new ReleaseRefused('a check of the packages failed; its output is above.');
}

function nextSteps(version: string): string {
  const tarballs = readdirSync(join(root, tarballFolder)).filter((file) => file.endsWith('.tgz'));
  // The mock depends on the SDK, so the SDK comes first.
  const commands = tarballs
    .toSorted()
    .toReversed()
    .map((file) => `  npm publish ${tarballFolder}/${file}`);
  return `
openapi/released has the contract of ${version}. Commit it, and tag the commit v${version}. Then publish, the SDK first:

${commands.join('\n')}

npm can sign the provenance of a package only in a job of GitHub or GitLab. Elsewhere, add --provenance=false.`;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
