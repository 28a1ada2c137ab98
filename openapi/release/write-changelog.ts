/**
 * Each difference between the contracts that clients can notice becomes an entry of `generated/changelog.json`. Entries
 * of earlier versions stay unchanged.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { isRecord, lookUp, pointerTo } from '../model/place.ts';
import { type Contract, readContractFrom } from '../model/read-contract.ts';
import { type ChangelogVersion, type ContractChange, changelogPath, readChangelog } from './changelog.ts';
import { changelogNotes } from './changelog-notes.ts';
import { compareContracts } from './compare-contracts.ts';

/** A difference in the output format of `redocly diff --format json`. */
interface Difference {
  path: string;
  typeName: string;
  kind: 'added' | 'removed' | 'modified';
  property?: string;
  base?: Side;
  revision?: Side;
}

interface Side {
  value: unknown;
  /** For a part of a component, points into the component, and not into the operation that uses the component. */
  pointer: string;
}

const released = contractIn('../released/openapi.yaml');
const present = contractIn('../openapi.yaml');

const text = `${JSON.stringify(await changelog(), null, 2)}\n`;
if (!process.argv.includes('--check')) writeFileSync(changelogPath, text);
else if (readFileSync(changelogPath, 'utf8') !== text) throw new Error('generated/changelog.json is out of date.');

function contractIn(file: string): Contract {
  return readContractFrom(new URL(file, import.meta.url).pathname);
}

async function changelog(): Promise<ChangelogVersion[]> {
  const [since, version] = [released.model.version, present.model.version];
  const known = readChangelog();
  if (version === since) return known;
  const earlier = known.filter((entry) => entry.version !== version);
  const isSinceKnown = earlier.some((entry) => entry.version === since);
  return [
    entryOf(version, since, merged((await differences()).flatMap(inWords))),
    ...earlier.map((entry) => entryOf(entry.version, entry.since, entry.changes)),
    ...(isSinceKnown ? [] : [entryOf(since, null, [])]),
  ];
}

function entryOf(version: string, since: string | null, changes: ContractChange[]): ChangelogVersion {
  const written = changelogNotes[version];
  if (!written) throw new Error(`changelog-notes.ts has no date and no summary for version ${version}.`);
  const { date, summary, notes, operators = [] } = written;
  return { version, date, summary, since, notes, operators, changes };
}

async function differences(): Promise<Difference[]> {
  const { stdout } = await compareContracts(released, present, ['--format', 'json', '--fail-on', 'none']);
  return JSON.parse(stdout).changes;
}

/** Omits differences in prose, examples, links, names and extensions, because clients do not notice them. */
function inWords(difference: Difference): ContractChange[] {
  const { path, typeName, kind, property } = difference;
  const [, root, at = '', method, ...rest] = keysOf(path);
  if (root !== 'paths' && root !== 'webhooks') return [];
  if (['Example', 'LinksMap', 'SpecExtension'].includes(typeName)) return [];
  if (/^(description|summary|operationId|x-.*)$/.test(property ?? '')) return [];
  if (isListingOfValues(difference)) return [];
  const component = componentOf(difference);
  if (component) return [ofComponent(difference, component)];
  const what = typeName.startsWith('Parameter') ? parameterNames(difference) : placeOf(rest);
  return [
    {
      kind: kind === 'modified' ? 'changed' : kind,
      what: [what, property && `\`${property}\``, gained(difference)].filter(Boolean).join(', '),
      operations: namesOf({ root, at, method, isGone: kind === 'removed' }),
    },
  ];
}

/** True if values are newly listed in `x-extensible-enum`: the compared copies then differ in `enum` or `maxLength`. */
function isListingOfValues({ property, base, revision }: Difference): boolean {
  if (property !== 'maxLength' && !(property === 'enum' && base?.value === undefined)) return false;
  const schema = lookUp(present.document, (revision ?? base)?.pointer.replace(/\/[^/]+$/, '') ?? '');
  return isRecord(schema) && 'x-extensible-enum' in schema;
}

/** Returns the keys of a changed component of both contracts: Redocly reports only the first use of the component. */
function componentOf({ base, revision }: Difference): string[] | null {
  const [, root, kind = '', name = '', ...rest] = keysOf((revision ?? base)?.pointer ?? '');
  const isKnown = [released, present].every(({ document }) => lookUp(document, `#/components/${kind}/${name}`));
  return root === 'components' && isKnown ? [kind, name, ...rest] : null;
}

function ofComponent(difference: Difference, [kind = '', name = '', ...rest]: string[]): ContractChange {
  const field = fieldOf(rest.at(-1) === difference.property ? rest.slice(0, -1) : rest);
  const place = [field && `\`${field}\``, `\`${name}\``].filter(Boolean).join(' of ');
  const property = difference.property && `\`${difference.property}\``;
  return {
    kind: difference.kind === 'modified' ? 'changed' : difference.kind,
    what: [place, property, gained(difference)].filter(Boolean).join(', '),
    operations: usersOf(`#/components/${kind}/${name}`),
  };
}

/** Returns the operations and events that use a component and were already in the released contract. */
function usersOf(pointer: string): string[] {
  const { operationById: before } = released.model;
  const operations = present.model.operations.filter(({ id }) => before.has(id));
  const sentBefore = new Set(released.model.webhooks.map(({ name }) => name));
  const events = present.model.webhooks.filter(({ name }) => sentBefore.has(name));
  return [
    ...operations.filter(({ path, method }) => leadsTo(pointer, valueAt(['paths', path, method]))).map(({ id }) => id),
    ...events.map(({ name }) => name).filter((name) => leadsTo(pointer, valueAt(['webhooks', name]))),
  ];
}

function valueAt(keys: readonly string[]): unknown {
  return lookUp(present.document, `#${pointerTo(keys)}`);
}

function leadsTo(pointer: string, node: unknown, seen = new Set<unknown>()): boolean {
  if (!isRecord(node) || seen.has(node)) return false;
  seen.add(node);
  const { $ref } = node;
  if ($ref === pointer) return true;
  const target = typeof $ref === 'string' ? lookUp(present.document, $ref) : undefined;
  return [...Object.values(node), target].some((child) => leadsTo(pointer, child, seen));
}

function parameterNames({ revision, base }: Difference): string {
  const names = [revision?.value ?? base?.value].flat().map((parameter) => {
    const { $ref, name } = parameter as { $ref?: string; name?: string };
    const component = present.model.parameters.get($ref?.split('/').at(-1) ?? '');
    return `\`${name ?? component?.name}\``;
  });
  return `the parameter ${names.join(', ')}`;
}

function gained({ base, revision }: Difference): string {
  if (!Array.isArray(base?.value) || !Array.isArray(revision?.value)) return '';
  const before = new Set(base.value);
  const added = revision.value.filter((value) => !before.has(value)).map((value) => `\`${value}\``);
  return added.length > 0 ? `which gained ${added.join(', ')}` : '';
}

interface Place {
  root: 'paths' | 'webhooks';
  at: string;
  method: string | undefined;
  isGone: boolean;
}

function namesOf({ root, at, method, isGone }: Place): string[] {
  if (root === 'webhooks') return [at];
  const { operations } = (isGone ? released : present).model;
  return operations
    .filter((operation) => operation.path === at && (!method || operation.method === method))
    .map(({ id }) => id);
}

/** For `responses/200/…/properties/webhooks/items/properties/id`, returns `webhooks[].id` of the answer 200. */
function placeOf(keys: string[]): string {
  const [part, name, , header] = keys;
  const schema = keys.includes('schema') ? keys.slice(keys.indexOf('schema') + 1) : null;
  const field = fieldOf(schema ?? []) || 'body';
  if (part === 'requestBody') return `\`${field}\` of the request`;
  if (part === 'security') return 'a way to authenticate the call';
  if (part !== 'responses') return keys.join(' ');
  if (header && keys[2] === 'headers') return `the header \`${header}\` of the answer ${name}`;
  return schema === null ? `the answer ${name}` : `\`${field}\` of the answer ${name}`;
}

function fieldOf(keys: string[]): string {
  return keys.join('/').replaceAll('/items', '[]').replaceAll('properties/', '').replaceAll('/', '.');
}

function keysOf(path: string): string[] {
  return path.split('/').map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function merged(changes: ContractChange[]): ContractChange[] {
  const byWords = new Map<string, ContractChange>();
  for (const change of changes) {
    const words = `${change.kind} ${change.what}`;
    const operations = new Set([...(byWords.get(words)?.operations ?? []), ...change.operations]);
    byWords.set(words, { ...change, operations: [...operations] });
  }
  return [...byWords.values()];
}
