/**
 * The projects of outsiders: folders elsewhere that know of the packages only what their tarballs hold. Install scripts are
 * left out, because nothing here needs one.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { frameworks, nodes, nodeTypes, oldestTypeScript } from './pins.ts';
import { run } from './processes.ts';

export interface Projects {
  /** The tarballs and nothing else but Node's types. */
  consumer: string;
  /** The SDK beside the frameworks of the recipes and the current TypeScript. */
  frameworks: string;
  /** Each other Node under a name of its own, and the oldest TypeScript. */
  tools: string;
}

export interface Tarballs {
  sdk: string;
  mock: string;
}

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A program that the repository has, by its name in `node_modules/.bin`. */
export const ownProgram = (name: string): string => join(root, 'node_modules/.bin', name);

/** Packs both as `npm publish` would, which builds them first. */
export async function pack(home: string): Promise<Tarballs> {
  const packing = ['pack', '--workspace=sdk', '--workspace=mock', `--pack-destination=${home}`, '--loglevel=error'];
  await run({ command: 'npm', args: packing, cwd: root });
  return { sdk: await tarballOf('sdk', home), mock: await tarballOf('mock', home) };
}

async function tarballOf(workspace: string, home: string): Promise<string> {
  const { name, version } = JSON.parse(await readFile(join(root, workspace, 'package.json'), 'utf8'));
  return join(home, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`);
}

export async function installProjects(home: string, { sdk, mock }: Tarballs): Promise<Projects> {
  const packages = { '@tillhook/sdk': `file:${sdk}`, '@tillhook/mock': `file:${mock}` };
  const installedNodes = Object.entries(nodes).map(([name, version]) => [name, `npm:${nodePackage}@${version}`]);
  const [consumer, withFrameworks, tools] = await Promise.all([
    install(join(home, 'consumer'), { ...packages, ...nodeTypes }),
    // Next would bring sharp, and with it a library under the LGPL, to resize images that no recipe has.
    install(
      join(home, 'frameworks'),
      { '@tillhook/sdk': packages['@tillhook/sdk'], ...platformPackages(), ...frameworks },
      ['--omit=optional'],
    ),
    install(join(home, 'tools'), { ...Object.fromEntries(installedNodes), typescript: oldestTypeScript }),
  ]);
  return { consumer, frameworks: withFrameworks, tools };
}

const { platform, arch } = process;
const host = `${platform}-${arch}`;
const nodePackage = `${host === 'darwin-arm64' ? 'node-bin' : 'node'}-${host}`;

/** What the frameworks call optional and do not run without. */
function platformPackages(): Record<string, string> {
  return {
    [`@next/swc-${host}${platform === 'linux' ? '-gnu' : ''}`]: frameworks.next,
    [`@typescript/typescript-${host}`]: frameworks.typescript,
    [`@cloudflare/workerd-${platform}-${arch === 'x64' ? '64' : arch}`]: frameworks.workerd,
  };
}

async function install(
  directory: string,
  dependencies: Record<string, string>,
  wishes: readonly string[] = [],
): Promise<string> {
  await mkdir(directory);
  await writeFile(join(directory, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies }));
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  await run({ command: 'npm', args: [...args, ...wishes], cwd: directory });
  return directory;
}
