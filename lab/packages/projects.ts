/** Projects outside the repository get only the tarballs of our packages, as the projects of users do. */
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { frameworks, nodes, nodeTypes, oldestTypeScript } from './pins.ts';
import { run } from './processes.ts';

export interface Projects {
  consumer: string;
  frameworks: string;
  tools: string;
}

export interface Tarballs {
  sdk: string;
  mock: string;
}

const root = fileURLToPath(new URL('../../', import.meta.url));

export function ownProgram(name: string): string {
  const places = ['lab', ''].map((folder) => join(root, folder, 'node_modules/.bin', name));
  const found = places.find((place) => existsSync(place));
  if (!found) throw new Error(`The program ${name} is missing from node_modules/.bin.`);
  return found;
}

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
    // Optional dependencies are left out, because Next would install sharp, which contains a library under the LGPL.
    install(
      join(home, 'frameworks'),
      { '@tillhook/sdk': packages['@tillhook/sdk'], ...platformPackages(), ...frameworks },
      { options: ['--omit=optional'] },
    ),
    install(join(home, 'tools'), { ...Object.fromEntries(installedNodes), typescript: oldestTypeScript }),
  ]);
  return { consumer, frameworks: withFrameworks, tools };
}

const { platform, arch } = process;
const host = `${platform}-${arch}`;
const nodePackage = `${host === 'darwin-arm64' ? 'node-bin' : 'node'}-${host}`;

/** Returns the dependencies that the frameworks declare as optional but require on this platform. */
function platformPackages(): Record<string, string> {
  return {
    [`@next/swc-${host}${platform === 'linux' ? '-gnu' : ''}`]: frameworks.next,
    [`@typescript/typescript-${host}`]: frameworks.typescript,
    [`@cloudflare/workerd-${platform}-${arch === 'x64' ? '64' : arch}`]: frameworks.workerd,
  };
}

export async function install(
  directory: string,
  dependencies: Record<string, string>,
  { options = [], overrides = {} }: { options?: readonly string[]; overrides?: Record<string, string> } = {},
): Promise<string> {
  await mkdir(directory);
  const manifest = { private: true, type: 'module', dependencies, overrides };
  await writeFile(join(directory, 'package.json'), JSON.stringify(manifest));
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  await run({ command: 'npm', args: [...args, ...options], cwd: directory });
  return directory;
}
