/**
 * Writes `generated/` from the sources of Kubernetes and of the compose specification in Go's module cache: node
 * test/deployment/write-schemas.ts KUBERNETES_FOLDER COMPOSE_GO_FOLDER. The folders are the values of `Dir` that `go
 * mod download -json k8s.io/kubernetes@VERSION github.com/compose-spec/compose-go/v2@VERSION` prints. Only the kinds
 * of Kubernetes in `ops/kubernetes/` are kept.
 */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { objects, objectsOf } from './files.ts';

interface Definition {
  'x-kubernetes-group-version-kind'?: { kind: string; group: string; version: string }[];
}

const [kubernetesFolder = '', composeFolder = ''] = process.argv.slice(2);
const generated = join(import.meta.dirname, 'generated');
mkdirSync(generated, { recursive: true });

const licence = 'Apache License 2.0, see LICENSE in this folder.';
const madeBy = 'Made by test/deployment/write-schemas.ts; not to be edited.';

const { definitions } = JSON.parse(readFileSync(join(kubernetesFolder, 'api/openapi-spec/swagger.json'), 'utf8')) as {
  definitions: Record<string, Definition>;
};
write('kubernetes.json', {
  $comment: `${madeBy} Parts of api/openapi-spec/swagger.json of ${moduleIn(kubernetesFolder)}, without descriptions. Copyright The Kubernetes Authors. ${licence}`,
  definitions: usedDefinitions(),
});
write('compose.json', {
  $comment: `${madeBy} schema/compose-spec.json of ${moduleIn(composeFolder)}. Copyright The Compose Specification Authors. ${licence}`,
  ...JSON.parse(readFileSync(join(composeFolder, 'schema/compose-spec.json'), 'utf8')),
});
copyFileSync(join(kubernetesFolder, 'LICENSE'), join(generated, 'LICENSE'));

function moduleIn(folder: string): string {
  return folder.replace(/^.*\/pkg\/mod\//, '');
}

function write(name: string, value: object): void {
  writeFileSync(join(generated, name), `${JSON.stringify(value, null, 1)}\n`);
}

function usedDefinitions(): Record<string, unknown> {
  const kinds = new Set(
    [...objects, ...objectsOf('secret.example.yaml')].map((one) => `${one.apiVersion} ${one.kind}`),
  );
  const isOurs = ([, definition]: [string, Definition]) =>
    definition['x-kubernetes-group-version-kind']?.some(({ group, version, kind }) =>
      kinds.has(`${group ? `${group}/` : ''}${version} ${kind}`),
    );
  const used = new Set(
    Object.entries(definitions)
      .filter(isOurs)
      .map(([name]) => name),
  );
  for (const name of used)
    for (const [, other = ''] of JSON.stringify(definitions[name]).matchAll(/"#\/definitions\/([^"]+)"/g))
      used.add(other);
  return Object.fromEntries([...used].toSorted().map((name) => [name, withoutDescriptions(definitions[name])]));
}

function withoutDescriptions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDescriptions);
  if (typeof value !== 'object' || value === null) return value;
  // A property may also be named `description`. Its value is a schema, and so an object.
  const kept = Object.entries(value).filter(([name, inner]) => name !== 'description' || typeof inner !== 'string');
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutDescriptions(inner)]));
}
