/**
 * `npm run pictures -- --since <commit>` takes screenshots of every page in every look, from a clean checkout of the
 * commit and from the working copy, and saves those that differ in `reports/pictures`.
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compareFolders, reportsFolder } from './picture.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

export async function compareSince(commit: string, flags: string[]): Promise<number> {
  const hash = hashOf(commit);
  const folder = mkdtempSync(join(tmpdir(), 'tillhook-pictures-'));
  const tree = join(folder, 'tree');
  // Ctrl-C also stops both runs, but this process must continue until it has removed the checkout.
  process.on('SIGINT', () => {});
  try {
    git('worktree', 'add', '--quiet', '--detach', tree, hash);
    if (!existsSync(join(tree, 'test/pictures/since.ts'))) {
      throw new Error(`The pages of ${commit} cannot be compared: this commit has no npm script pictures.`);
    }
    await giveModules(tree);
    const [before, after] = [join(folder, 'before'), join(folder, 'after')];
    await run(tree, ['run', 'pictures', '--', '--draw', before, ...flags]);
    await run(root, ['run', 'pictures', '--', '--draw', after, ...flags]);
    rmSync(reportsFolder, { recursive: true, force: true });
    const differences = compareFolders(before, after);
    for (const difference of differences) console.log(difference);
    const [all, what] = [readdirSync(after).length, `${differences.length} differ from those of ${commit}`];
    console.log(`${all} pictures, of which ${what}${differences.length > 0 ? ': see reports/pictures/' : ''}.`);
    return differences.length > 0 ? 1 : 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
    git('worktree', 'prune');
  }
}

function hashOf(commit: string): string {
  try {
    return git('rev-parse', '--verify', '--quiet', '--end-of-options', `${commit}^{commit}`).trim();
  } catch (error) {
    throw new Error(`The commit ${commit} is not in this repository.`, { cause: error });
  }
}

const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });

/** With the same lock file, the checkout uses the installed packages of this repository, except the workspaces. */
async function giveModules(tree: string): Promise<void> {
  const [lock, otherLock] = [root, tree].map((place) => readFileSync(join(place, 'package-lock.json'), 'utf8'));
  if (lock !== otherLock) return run(tree, ['ci']);
  const own = '@tillhook';
  mkdirSync(join(tree, 'node_modules', own), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules')).filter((entry) => entry !== own)) {
    symlinkSync(join(root, 'node_modules', name), join(tree, 'node_modules', name));
  }
  const { workspaces } = JSON.parse(readFileSync(join(tree, 'package.json'), 'utf8')) as { workspaces: string[] };
  for (const workspace of workspaces) {
    const { name } = JSON.parse(readFileSync(join(tree, workspace, 'package.json'), 'utf8')) as { name: string };
    symlinkSync(join(tree, workspace), join(tree, 'node_modules', name));
    const modules = join(root, workspace, 'node_modules');
    if (existsSync(modules)) symlinkSync(modules, join(tree, workspace, 'node_modules'));
  }
}

async function run(cwd: string, args: string[]): Promise<void> {
  const npm = spawn('npm', args, { cwd, stdio: 'inherit' });
  const code = await new Promise((resolve, reject) => npm.once('error', reject).once('exit', resolve));
  if (code !== 0) throw new Error(`npm ${args.join(' ')} failed in ${cwd}.`);
}
