/** `write-schemas.ts` writes the schemas of Kubernetes and of the compose specification. */
import { Ajv, type AnySchema, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { read } from './files.ts';

interface Described {
  'x-kubernetes-group-version-kind'?: { group: string; version: string; kind: string }[];
}

type Definitions = Record<string, Described & { properties?: object; [field: string]: unknown }>;

const ajv = new Ajv({ strict: false, allErrors: true });
addFormats.default(ajv);
for (const format of ['int-or-string', 'expose', 'ports', 'subnet_ip_address', 'duration', 'byte'])
  ajv.addFormat(format, true);

const kubernetes: { definitions: Definitions } = JSON.parse(read('test/deployment/generated/kubernetes.json'));
ajv.addSchema({ $id: 'kubernetes', definitions: closed(kubernetes.definitions) } as AnySchema);
// The schema names its draft by a URL that ajv does not know, so the property is removed. ajv's default draft is the
// same.
const { $schema: _draft, ...composeSchema } = JSON.parse(read('test/deployment/generated/compose.json'));
const compose = ajv.compile(composeSchema);

export function problemsOfManifest({ apiVersion, kind, ...rest }: { apiVersion: string; kind: string }): string[] {
  const [version = '', group = ''] = apiVersion.split('/').toReversed();
  const found = Object.entries(kubernetes.definitions).find(([, definition]) =>
    definition['x-kubernetes-group-version-kind']?.some(
      (one) => one.group === group && one.version === version && one.kind === kind,
    ),
  );
  if (!found) return [`Kubernetes has no ${kind} in ${apiVersion}`];
  const check = ajv.getSchema(`kubernetes#/definitions/${found[0]}`);
  return check ? problems(check, { apiVersion, kind, ...rest }) : [`${found[0]} cannot be compiled`];
}

export function problemsOfCompose(file: unknown): string[] {
  return problems(compose, file);
}

function problems(check: ValidateFunction, value: unknown): string[] {
  check(value);
  return (check.errors ?? []).map(({ instancePath, message, params }) =>
    [instancePath || '/', message, ...Object.values(params).map(String)].join(' '),
  );
}

/** The API server only warns about unknown fields, but here they are typos. */
function closed(definitions: Definitions): Definitions {
  const entries = Object.entries(definitions).map(([name, definition]) => {
    if (definition.format === 'int-or-string') return [name, { type: ['string', 'integer'] }];
    return [name, definition.properties ? { additionalProperties: false, ...definition } : definition];
  });
  return Object.fromEntries(entries);
}
