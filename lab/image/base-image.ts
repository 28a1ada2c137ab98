/** Builds an image `node:24-slim` without an image registry, with the account `node` and its uid 1000. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Buildah, hasImage } from './buildah.ts';
import { run } from './tools.ts';

const name = 'node:24-slim';

export async function baseImage(buildah: Buildah, work: string): Promise<string> {
  if (await hasImage(buildah, name)) return `${name} is here already`;
  const root = join(work, 'base');
  await run('debootstrap', '--variant=minbase', ...debianHere(), root, mirrorHere());
  for (const folder of ['var/cache/apt', 'var/lib/apt/lists', 'usr/share/doc', 'usr/share/man', 'usr/share/locale'])
    rmSync(join(root, folder), { recursive: true, force: true });
  await run('chroot', root, 'useradd', '--uid', '1000', '--user-group', '--create-home', 'node');
  addNode(root);
  const archive = join(work, 'base.tar');
  await run('tar', '--create', '--one-file-system', '--directory', root, '--file', archive, '.');
  await commit(buildah, archive);
  rmSync(archive);
  rmSync(root, { recursive: true, force: true });
  return `${name} is made of Debian and Node ${process.versions.node}`;
}

function debianHere(): string[] {
  const [, codename = 'stable'] = /^VERSION_CODENAME=(.+)$/m.exec(readFileSync('/etc/os-release', 'utf8')) ?? [];
  return [codename];
}

function mirrorHere(): string {
  const line = execFileSync('apt-get', ['indextargets', '--format', '$(REPO_URI)', 'Created-By: Packages'], {
    encoding: 'utf8',
  });
  const [mirror] = line.trim().split('\n');
  if (!mirror) throw new Error('The configuration of apt on this machine names no mirror of Debian packages.');
  return mirror;
}

function addNode(root: string): void {
  const local = join(root, 'usr/local');
  const npm = dirname(dirname(realpathSync(execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim())));
  cpSync(realpathSync(process.execPath), join(local, 'bin/node'));
  mkdirSync(join(local, 'lib/node_modules'), { recursive: true });
  cpSync(npm, join(local, 'lib/node_modules/npm'), { recursive: true, dereference: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'));
}

async function commit(buildah: Buildah, archive: string): Promise<void> {
  const container = await buildah('from', 'scratch');
  await buildah('add', container, archive, '/');
  const path = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
  await buildah('config', '--env', path, '--cmd', '["node"]', container);
  await buildah('commit', '--rm', container, name);
}
