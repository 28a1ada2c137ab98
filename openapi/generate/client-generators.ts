/**
 * Client generators that work with the contract; `npm run clients` runs them, and the documentation shows the commands.
 * See docs/decisions/contract.md, "Any client can keep the contract".
 */

export interface ClientGenerator {
  /** The language and the generator, such as `Go, oapi-codegen`. */
  name: string;
  tool: ClientTool;
  /** The arguments of the tool. The command runs in the folder that contains the document. */
  options: readonly string[];
  /** The contents of the files that the generator or the compiler needs, keyed by path. */
  files?: Readonly<Record<string, string>>;
  /** Explains, in Markdown, the purpose of each option and the limits of the client. */
  limits: readonly string[];
}

export type ClientTool = keyof typeof clientTools;

export const clientTools = {
  'openapi-generator': {
    version: '7.25.0',
    from: 'Maven Central, `org.openapitools:openapi-generator-cli`',
    call: ['java', '-jar', 'openapi-generator-cli-7.25.0.jar'],
  },
  'oapi-codegen': {
    version: '2.8.2',
    from: 'Go modules, `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen`',
    call: ['oapi-codegen'],
  },
  'openapi-python-client': { version: '0.29.1', from: 'PyPI', call: ['openapi-python-client'] },
  progenitor: { version: '0.15.1', from: 'crates.io, `cargo-progenitor`', call: ['cargo', 'progenitor'] },
  '@hey-api/openapi-ts': { version: '0.99.0', from: 'npm', call: ['npx', '@hey-api/openapi-ts@0.99.0'] },
  orval: { version: '8.38.0', from: 'npm', call: ['npx', 'orval@8.38.0'] },
} as const;

/** From the 3.1 document, openapi-generator would also make functions for webhooks, which do not compile in Python. */
function fromOlderDocument(language: string, ...properties: readonly string[]): readonly string[] {
  return [
    'generate',
    '-i',
    'openapi-3.0.json',
    '-g',
    language,
    '-o',
    '.',
    '--global-property=apiTests=false,modelTests=false,apiDocs=false,modelDocs=false',
    `--additional-properties=${properties.join(',')}`,
  ];
}

const open = 'disallowAdditionalPropertiesIfNotPresent=false';
const openAnswers = `\`${open}\`: without it, the client throws when an answer has a field of a later version.`;
const noWebhooks = 'OpenAPI 3.0 has no webhooks. The body of each is a schema, and `WebhookEvent` is the union of all.';

const java = {
  properties: [
    'containerDefaultToNull=true',
    'useOneOfDiscriminatorLookup=true',
    'useSingleRequestParameter=true',
    'invokerPackage=tillhook,apiPackage=tillhook.api,modelPackage=tillhook.model',
  ],
  limits: [
    '`containerDefaultToNull=true`: without it, the client sends `[]` and `{}` for lists and maps that you did not set. ' +
      'The service refuses an empty list of events.',
    '`useOneOfDiscriminatorLookup=true`: the client reads `WebhookEvent` by its `event`. Without it, the client tries the model of ' +
      'each event.',
    '`useSingleRequestParameter=true`: you name each parameter, so a later optional parameter changes no call of yours.',
    noWebhooks,
  ],
};

const orvalConfig = `const input = 'openapi.yaml';

export default {
  client: {
    input,
    output: {
      client: 'fetch',
      target: 'client.ts',
      override: { mutator: { path: './call.ts', name: 'call' } },
    },
  },
  schemas: { input, output: { client: 'zod', target: 'schemas.ts' } },
};
`;

/** orval's client calls this function to make each HTTP request. */
const orvalCall = `const { BASE_URL, API_KEY } = process.env;

export async function call<Answer>(path: string, options: RequestInit): Promise<Answer> {
  const headers = new Headers(options.headers);
  headers.set('Authorization', \`Bearer \${API_KEY}\`);
  const answer = await fetch(\`\${BASE_URL}\${path}\`, { ...options, headers });
  return { status: answer.status, headers: answer.headers, data: await answer.json() } as Answer;
}
`;

const onlyTypes = 'Answers and events are only types. The client does not check them.';

const goModule = { 'go.mod': 'module tillhook.example/tillhook\n\ngo 1.24\n' };

const cargoManifest = `[package]
name = "shop"
version = "0.1.0"
edition = "2024"

[dependencies]
reqwest = { version = "0.13", default-features = false }
serde_json = "1"
tillhook = { path = "client" }
tokio = { version = "1", features = ["macros", "rt-multi-thread"] }
`;

const eventNames = [
  ...['CheckoutSuccess', 'CheckoutFailed', 'CheckoutExpired', 'TransferSuccess', 'TransferFailed'],
  ...['RefundSuccess', 'RefundFailed', 'Test'],
];

/** serde tries each model, and only one model fits: the field `event` has a different constant in each model. */
function rustUnion(name: string, modelSuffix: string): string {
  return `use crate::models;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ${name} {
${eventNames.map((event) => `    ${event}(Box<models::${event}${modelSuffix}>),`).join('\n')}
    Other(serde_json::Value),
}
`;
}

const rustUnions = {
  '.openapi-generator-ignore': 'src/models/event_record.rs\nsrc/models/webhook_event.rs\n',
  'src/models/event_record.rs': rustUnion('EventRecord', 'EventRecord'),
  'src/models/webhook_event.rs': rustUnion('WebhookEvent', 'Event'),
};

export const clientGenerators: readonly ClientGenerator[] = [
  {
    name: 'Java, openapi-generator with okhttp-gson',
    tool: 'openapi-generator',
    options: fromOlderDocument('java', 'library=okhttp-gson', open, ...java.properties),
    limits: [openAnswers, ...java.limits],
  },
  {
    name: 'Java, openapi-generator with native',
    tool: 'openapi-generator',
    options: [
      ...fromOlderDocument('java', 'library=native', ...java.properties),
      '--parameter-name-mappings',
      'wait=waitSeconds',
    ],
    limits: [
      ...java.limits,
      '`--parameter-name-mappings wait=waitSeconds`: Java allows no method `wait()` in a class. The client still sends `wait`.',
      'The client sends no key by itself. Set the header in `setRequestInterceptor` of its `ApiClient`.',
    ],
  },
  {
    name: 'Python, openapi-python-client',
    tool: 'openapi-python-client',
    options: ['generate', '--path', 'openapi.yaml', '--output-path', 'tillhook', '--meta', 'none'],
    limits: [
      '`--meta none`: the generator writes a package into your project. Without it, it makes a project around the package.',
      'The client has no functions for webhooks and no `WebhookEvent`. Read the body with the model of its `event`.',
    ],
  },
  {
    name: 'Python, openapi-generator',
    tool: 'openapi-generator',
    options: fromOlderDocument('python', 'packageName=tillhook', 'library=urllib3'),
    limits: [
      'The generator also reads `openapi.yaml`, but then it makes functions for webhooks, which Python cannot compile.',
      noWebhooks,
    ],
  },
  {
    name: 'Go, oapi-codegen',
    tool: 'oapi-codegen',
    options: ['-generate', 'models,client,skip-prune', '-package', 'tillhook', '-o', 'client.go', 'openapi.yaml'],
    files: goModule,
    limits: [
      '`skip-prune`: without it, the client does not compile, because the headers of webhooks are left out, which its code uses. ' +
        '`WebhookEvent` is left out too.',
      'Its functions for webhooks send them, which helps in tests of your receiver. To receive one, read the body.',
      '`WebhookEvent` has one function for each event, such as `AsCheckoutSuccessEvent`. Look at `event` first.',
    ],
  },
  {
    name: 'Go, openapi-generator',
    tool: 'openapi-generator',
    options: fromOlderDocument(
      'go',
      open,
      'packageName=tillhook',
      'enumClassPrefix=true',
      'useOneOfDiscriminatorLookup=true',
      'withGoMod=false',
    ),
    files: goModule,
    limits: [
      openAnswers,
      '`enumClassPrefix=true`: without it, the client does not compile, because states of different records, such as `pending`, ' +
        'get the same name.',
      '`useOneOfDiscriminatorLookup=true`: the client reads `WebhookEvent` by its `event`. Without it, the client cannot read it, ' +
        'because the models of several events fit.',
      '`withGoMod=false`: the client becomes a package of your module.',
      noWebhooks,
    ],
  },
  {
    name: 'Rust, openapi-generator with reqwest',
    tool: 'openapi-generator',
    options: fromOlderDocument(
      'rust',
      'packageName=tillhook',
      'library=reqwest',
      'supportAsync=false',
      'reqwestDefaultFeatures=',
    ),
    files: rustUnions,
    limits: [
      'For HTTPS leave out `reqwestDefaultFeatures=`, which leaves out TLS. For async functions leave out `supportAsync=false`.',
      'A later optional parameter is one more argument of its function, so calls have to be changed when you generate again.',
      '`EventRecord` and `WebhookEvent` are written by hand, and `.openapi-generator-ignore` keeps them: the unions that the ' +
        'generator makes take `event` away from what they read, and then the event lacks it. `Other` is an event of a later version.',
      noWebhooks,
    ],
  },
  {
    name: 'Rust, progenitor',
    tool: 'progenitor',
    options: [
      ...['-i', 'openapi-3.0.json', '-o', 'client', '-n', 'tillhook', '-v', '0.1.0', '--license-name', 'MIT'],
      ...['--interface', 'builder'],
    ],
    files: { 'Cargo.toml': cargoManifest },
    limits: [
      '`--interface builder`: you name each parameter, so a later optional parameter changes no call of yours.',
      'The client sends no key by itself. Give it a client of reqwest with the header, by `Client::new_with_client`.',
      'For HTTPS turn on a TLS feature of reqwest in your `Cargo.toml`, such as `rustls`.',
      noWebhooks,
    ],
  },
  {
    name: 'TypeScript, hey-api',
    tool: '@hey-api/openapi-ts',
    options: ['-i', 'openapi.yaml', '-o', 'client', '-c', '@hey-api/client-fetch', '--no-log-file'],
    limits: ['`-c @hey-api/client-fetch`: the client calls `fetch` and needs no other package.', onlyTypes],
  },
  {
    name: 'TypeScript, orval with zod',
    tool: 'orval',
    options: ['-c', 'orval.config.ts'],
    files: { 'orval.config.ts': orvalConfig, 'call.ts': orvalCall },
    limits: [
      'Its functions name paths without a host and send no key, so `call.ts` adds both to each call.',
      '`schemas.ts` has the schemas for zod, which your program can check answers with. The client itself checks nothing.',
    ],
  },
];
