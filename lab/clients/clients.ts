import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type ClientGenerator,
  type ClientTool,
  clientGenerators,
  clientTools,
} from '@tillhook/openapi/generate/client-generators';
import type { Command } from '@tillhook/test/support/programs/run-command.ts';
import { cargoFolder, dependencyPlugin, folderOf, type ToolSet } from './tools.ts';

export interface Client extends Making {
  name: string;
  generate: Command;
  files: Readonly<Record<string, string>>;
}

interface Making {
  tools: readonly ToolSet[];
  programs?: readonly string[];
  program: readonly [source: string, target: string];
  link?: readonly [name: string, target: string];
  compile: readonly Command[];
  run: Command;
  variables?: Readonly<Record<string, string>>;
}

export const programsFolder: string = fileURLToPath(new URL('./programs/', import.meta.url));

const python = join(folderOf('python'), 'bin/python');
const modules = join(folderOf('typescript'), 'node_modules');

const inJava = (program: string): Making => ({
  tools: ['openapi-generator'],
  program: [`${program}.java`, `${program}.java`],
  compile: [['mvn', '-q', '-B', 'compile', `${dependencyPlugin}:copy-dependencies`, '-DoutputDirectory=libraries']],
  run: ['java', '-cp', 'target/classes:libraries/*', `${program}.java`],
});
const inPython = (program: string): Making => ({
  tools: ['python'],
  program: [program, 'program.py'],
  compile: [[python, '-m', 'compileall', '-q', '.']],
  run: [python, 'program.py'],
});
const inGo = (program: string): Making => ({
  tools: [],
  programs: ['go'],
  program: [program, 'cmd/main.go'],
  compile: [
    ['go', 'mod', 'tidy'],
    ['go', 'build', '-o', 'program', './cmd'],
  ],
  run: ['./program'],
  variables: { GOFLAGS: '-mod=mod' },
});
const inRust = (program: string, name: string): Making => ({
  tools: [],
  programs: ['cargo'],
  program: [program, 'src/main.rs'],
  compile: [['cargo', 'build', '--quiet']],
  run: [join(cargoFolder, 'debug', name)],
  variables: { CARGO_TARGET_DIR: cargoFolder, CARGO_INCREMENTAL: '0', CARGO_PROFILE_DEV_DEBUG: '0' },
});
const inTypeScript = (program: string): Making => ({
  tools: ['typescript'],
  program: [program, 'program.ts'],
  link: ['node_modules', modules],
  compile: [
    [
      join(modules, '.bin/tsc'),
      '--strict',
      '--target',
      'es2022',
      '--module',
      'commonjs',
      '--moduleResolution',
      'bundler',
      '--types',
      'node',
      '--outDir',
      'made',
      'program.ts',
    ],
  ],
  run: ['node', 'made/program.js'],
});

const makings: Readonly<Record<string, Making>> = {
  'Java, openapi-generator with okhttp-gson': inJava('OkhttpGson'),
  'Java, openapi-generator with native': inJava('Native'),
  'Python, openapi-python-client': inPython('openapi_python_client.py'),
  'Python, openapi-generator': inPython('openapi_generator.py'),
  'Go, oapi-codegen': inGo('oapi_codegen.go.txt'),
  'Go, openapi-generator': inGo('openapi_generator.go.txt'),
  'Rust, openapi-generator with reqwest': inRust('openapi_generator.rs', 'tillhook'),
  'Rust, progenitor': inRust('progenitor.rs', 'shop'),
  'TypeScript, hey-api': inTypeScript('hey_api.ts.txt'),
  'TypeScript, orval with zod': inTypeScript('orval.ts.txt'),
};

const installed: Readonly<Record<ClientTool, { tools: readonly ToolSet[]; call: Command }>> = {
  'openapi-generator': {
    tools: ['openapi-generator'],
    call: [
      'java',
      '-jar',
      join(folderOf('openapi-generator'), `openapi-generator-cli-${clientTools['openapi-generator'].version}.jar`),
    ],
  },
  'oapi-codegen': { tools: ['oapi-codegen'], call: [join(folderOf('oapi-codegen'), 'oapi-codegen')] },
  'openapi-python-client': { tools: ['python'], call: [join(folderOf('python'), 'bin/openapi-python-client')] },
  progenitor: { tools: ['progenitor'], call: [join(folderOf('progenitor'), 'bin/cargo-progenitor'), 'progenitor'] },
  '@hey-api/openapi-ts': { tools: ['typescript'], call: [join(modules, '.bin/openapi-ts')] },
  orval: { tools: ['typescript'], call: [join(modules, '.bin/orval')] },
};

export const clients: readonly Client[] = clientGenerators.map(clientOf);

function clientOf({ name, tool, options, files = {} }: ClientGenerator): Client {
  const making = makings[name];
  if (!making) throw new Error(`No steps are defined for the generator ${name}.`);
  const { tools, call } = installed[tool];
  return {
    ...making,
    name,
    files,
    tools: [...new Set([...tools, ...making.tools])],
    generate: [...call, ...options],
  };
}
