import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { localRegistry } from './pins.ts';
import { freePort, run, type Service, start } from './processes.ts';
import { install } from './projects.ts';

export interface Registry extends Service {
  emptyProject(name: string): Promise<string>;
  cache: string;
}

export async function startRegistry(home: string): Promise<Registry> {
  const folder = await install(join(home, 'registry'), localRegistry, { overrides });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  await writeFile(join(folder, 'config.json'), JSON.stringify(settings));
  const program = join(folder, 'node_modules/verdaccio/bin/verdaccio');
  const args = [program, '--config', 'config.json', '--listen', `127.0.0.1:${port}`];
  const service = await start({ command: process.execPath, args, cwd: folder }, url);
  const lines = [`@tillhook:registry=${url}`, `//127.0.0.1:${port}/:_authToken=anyone`];
  return { ...service, cache: await ownCache(home), emptyProject: (name) => emptyProject(join(home, name), lines) };
}

/** Verdaccio depends on node-fetch by a dist-tag, which some mirrors of the registry do not have. */
const overrides = { 'node-fetch': '2.7.0' };

// Without uplinks, Verdaccio forwards no request to another registry.
const settings = {
  storage: './storage',
  uplinks: {},
  auth: { htpasswd: { file: './htpasswd', max_users: -1 } },
  packages: { '@tillhook/*': { access: '$all', publish: '$all' } },
  log: { type: 'stdout', level: 'warn' },
  web: { enable: false },
};

async function emptyProject(directory: string, lines: readonly string[]): Promise<string> {
  await mkdir(directory);
  await writeFile(join(directory, '.npmrc'), `${lines.join('\n')}\n`);
  await writeFile(join(directory, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  return directory;
}

async function ownCache(home: string): Promise<string> {
  const users = (await run({ command: 'npm', args: ['config', 'get', 'cache'], cwd: home })).trim();
  const cache = join(home, 'npm-cache');
  await mkdir(cache);
  // Only the content-addressed cache of npm is shared. The packages that npx installs by name are not shared.
  await symlink(join(users, '_cacache'), join(cache, '_cacache'));
  return cache;
}
