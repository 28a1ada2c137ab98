/** Installs the generators and libraries of the clients once for each version. Toolchains must already be in PATH. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type ClientTool, clientTools } from '@tillhook/openapi/generate/client-generators';
import { type Command, runCommand } from '@tillhook/test/support/programs/run-command.ts';

/** Cargo installs the libraries of a Rust client when it builds the client. */
export type ToolSet = 'openapi-generator' | 'oapi-codegen' | 'progenitor' | 'python' | 'typescript' | 'spectral';

interface Installation {
  needs: readonly string[];
  install(folder: string): readonly Command[];
}

/** `.ci/run` removes the cache entries that no run has used for a month. */
export const cache: string = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'tillhook', 'clients');
const versionOf = (tool: ClientTool) => clientTools[tool].version;

export const dependencyPlugin = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1';

const installations: Readonly<Record<ToolSet, Installation>> = {
  'openapi-generator': {
    needs: ['java', 'mvn'],
    install: (folder) => [
      [
        'mvn',
        '-q',
        '-B',
        `${dependencyPlugin}:copy`,
        `-Dartifact=org.openapitools:openapi-generator-cli:${versionOf('openapi-generator')}`,
        `-DoutputDirectory=${folder}`,
      ],
    ],
  },
  'oapi-codegen': {
    needs: ['go'],
    install: (folder) => [
      [
        'env',
        `GOBIN=${folder}`,
        'go',
        'install',
        `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v${versionOf('oapi-codegen')}`,
      ],
    ],
  },
  progenitor: {
    needs: ['cargo'],
    install: (folder) => [
      ['cargo', 'install', '--quiet', '--root', folder, `cargo-progenitor@${versionOf('progenitor')}`],
    ],
  },
  python: {
    needs: ['python3'],
    install: (folder) => [
      ['python3', '-m', 'venv', folder],
      [
        join(folder, 'bin/pip'),
        'install',
        '--quiet',
        `openapi-python-client==${versionOf('openapi-python-client')}`,
        ...['attrs==26.1.0', 'httpx==0.28.1', 'pydantic==2.14.3', 'python-dateutil==4.0.0', 'urllib3==2.8.0'],
      ],
    ],
  },
  typescript: {
    needs: ['npm'],
    install: (folder) => [
      npmInstall(folder, [
        `@hey-api/openapi-ts@${versionOf('@hey-api/openapi-ts')}`,
        `orval@${versionOf('orval')}`,
        ...['typescript@6.0.3', 'zod@4.6.7', '@types/node@24.19.2'],
      ]),
    ],
  },
  spectral: { needs: ['npm'], install: (folder) => [npmInstall(folder, ['@stoplight/spectral-cli@6.15.0'])] },
};

function npmInstall(folder: string, packages: readonly string[]): Command {
  return ['npm', 'install', '--prefix', folder, '--no-audit', '--no-fund', '--silent', ...packages];
}

export const spectral: string = join(folderOf('spectral'), 'node_modules/.bin/spectral');

export const cargoFolder: string = join(cache, 'cargo');

export function missingPrograms(sets: readonly ToolSet[], others: readonly string[]): string[] {
  const needed = new Set([...sets.flatMap((set) => installations[set].needs), ...others]);
  return [...needed].filter((program) => !isOnPath(program));
}

export function folderOf(set: ToolSet): string {
  const { needs, install } = installations[set];
  // A virtual environment works only with the version of Python that created it.
  const python = needs.includes('python3') && isOnPath('python3') ? execFileSync('python3', ['--version']) : '';
  const hash = createHash('sha256').update(`${JSON.stringify(install(''))}${python}`);
  return join(cache, `${set}-${hash.digest('hex').slice(0, 20)}`);
}

const started = new Map<ToolSet, Promise<void>>();

export async function install(sets: readonly ToolSet[]): Promise<void> {
  for (const set of sets) {
    const installing = started.get(set) ?? installOne(set);
    started.set(set, installing);
    await installing;
  }
}

async function installOne(set: ToolSet): Promise<void> {
  const folder = folderOf(set);
  const mark = join(folder, '.complete');
  if (existsSync(mark)) {
    utimesSync(folder, new Date(), new Date());
    return;
  }
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const command of installations[set].install(folder)) await runCommand(command, { cwd: folder });
  writeFileSync(mark, '');
}

function isOnPath(program: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));
}
