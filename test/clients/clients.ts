/** The generators, the options that each needs, and how its client is compiled and run. */
import { fileURLToPath } from 'node:url';

/** The programs that are not from npm. `README.md` says where they come from. */
export interface Tools {
  openapiGenerator: string;
  oapiCodegen: string;
  openapiPythonClient: string;
  python: string;
}

/** A command: the program and its arguments. */
export type Command = readonly [program: string, ...args: string[]];

export interface Client {
  name: string;
  /** Run in the folder of the client. The document is `../openapi.yaml`, and in 3.0 `../openapi-3.0.json`. */
  generate: Command;
  /** The file of `programs/`, and where it is put. */
  program: readonly [source: string, target: string];
  /** Texts that are written before the client is compiled, by their path. */
  files?: Readonly<Record<string, string>>;
  compile: readonly Command[];
  run: Command;
}

/** Without it, openapi-generator takes a schema that says nothing about other fields for a closed one. */
const openAnswers = 'disallowAdditionalPropertiesIfNotPresent=false';

export function clientsOf({ openapiGenerator, oapiCodegen, openapiPythonClient, python }: Tools): Client[] {
  // From 3.1, the generator makes functions for webhooks, and in Python their code does not compile.
  const generator = (language: string, options: string): Command => [
    ...([
      'java',
      '-jar',
      openapiGenerator,
      'generate',
      '-i',
      '../openapi-3.0.json',
      '-g',
      language,
      '-o',
      '.',
    ] as const),
    '--global-property=apiTests=false,modelTests=false,apiDocs=false,modelDocs=false',
    `--additional-properties=packageName=tillhook,${openAnswers},${options}`,
  ];
  const pythonClient = {
    compile: [[python, '-m', 'compileall', '-q', '.']],
    run: [python, 'program.py'],
  } as const;
  const goClient = {
    compile: [
      ['go', 'mod', 'tidy'],
      ['go', 'build', '-o', 'program', './cmd'],
    ],
    run: ['./program'],
  } as const;
  return [
    {
      name: 'Python, openapi-python-client',
      generate: [
        openapiPythonClient,
        'generate',
        '--path',
        '../openapi.yaml',
        '--output-path',
        'tillhook',
        '--meta',
        'none',
      ],
      program: ['openapi_python_client.py', 'program.py'],
      ...pythonClient,
    },
    {
      name: 'Python, openapi-generator',
      generate: generator('python', 'library=urllib3'),
      program: ['openapi_generator.py', 'program.py'],
      ...pythonClient,
    },
    {
      name: 'Go, oapi-codegen',
      generate: [
        oapiCodegen,
        '-generate',
        'models,client,skip-prune',
        '-package',
        'tillhook',
        '-o',
        'client.go',
        '../openapi.yaml',
      ],
      program: ['oapi_codegen.go.txt', 'cmd/main.go'],
      files: { 'go.mod': 'module tillhook.example/tillhook\n\ngo 1.24\n' },
      ...goClient,
    },
    {
      name: 'Go, openapi-generator',
      generate: generator('go', 'enumClassPrefix=true,useOneOfDiscriminatorLookup=true,withGoMod=false'),
      program: ['openapi_generator.go.txt', 'cmd/main.go'],
      files: { 'go.mod': 'module tillhook.example/tillhook\n\ngo 1.24\n' },
      ...goClient,
    },
  ];
}

export const programsFolder: string = fileURLToPath(new URL('./programs/', import.meta.url));
