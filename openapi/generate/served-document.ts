/**
 * The served document omits what only our dashboard or our mock uses, because generated clients could not use it.
 * See docs/decisions/contract.md, "The served document is for clients".
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isRecord, lookUp } from '../model/place.ts';
import { type Contract, unmarked } from '../model/read-contract.ts';
import { withServiceUrl } from '../rules/service-address.ts';

export interface ServedTexts {
  yaml(): string;
  json(): string;
  json30(): string;
}

export function servedTexts({ document }: Contract, publicUrl: string): ServedTexts {
  const served = () => atPublicUrl(documentForOthers(document), publicUrl);
  return {
    yaml: () => asYaml(served()),
    json: () => JSON.stringify(served()),
    json30: () => JSON.stringify(atPublicUrl(JSON.parse(readFileSync(openapi30, 'utf8')), publicUrl)),
  };
}

export function asYaml(document: object): string {
  // The import is lazy, because most processes never need the `yaml` library.
  const { stringify }: typeof import('yaml') = createRequire(import.meta.url)('yaml');
  return stringify(document, { aliasDuplicateObjects: false, blockQuote: 'literal', lineWidth: 120 });
}

const openapi30 = new URL('../generated/openapi-3.0.json', import.meta.url);

type Node = Readonly<Record<string, unknown>>;

export function documentForOthers(document: object): object {
  const kept = withoutInternal(document) as Node;
  const isKnown = (scheme: string) => lookUp(kept, `#/components/securitySchemes/${scheme}`) !== undefined;
  const { components, ...rest } = withoutSessions(kept, isKnown) as Node;
  const operations = Object.entries(Object(rest.paths)).filter(([, item]) => methodsOf(item).length > 0);
  const used = { ...rest, paths: Object.fromEntries(operations) };
  return { ...used, tags: usedTags(rest.tags, used), components: usedComponents(Object(components), used) };
}

/** Replaces `http://localhost:3000` with the URL of this server, also in examples. */
export function atPublicUrl(document: object, publicUrl: string): object {
  const inText = JSON.stringify(publicUrl).slice(1, -1);
  const placed = JSON.parse(withServiceUrl(JSON.stringify(document), inText));
  const [_first, ...others] = placed.servers;
  return { ...placed, servers: [{ url: publicUrl, description: 'This server.' }, ...others] };
}

const ownExtensions = ['x-mock-examples', 'x-sdk-resources', 'x-allowed-roles', 'x-before-two-step'];

function withoutInternal(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutInternal);
  if (!isRecord(node)) return node;
  const kept = Object.entries(node).filter(
    ([key, child]) => !ownExtensions.includes(key) && !(isRecord(child) && child['x-internal'] === true),
  );
  const copy = kept.map(([key, child]) => [key, key === 'description' ? described(child) : withoutInternal(child)]);
  return { ...Object.fromEntries(copy), ...listedCodes(node) };
}

/** A schema field or an example may also be named `description`; only a text at `description` is a description. */
function described(child: unknown): unknown {
  return typeof child === 'string' ? unmarked(child) : withoutInternal(child);
}

/** Generators copy the description into their code, so the description repeats the values of `x-extensible-enum`. */
function listedCodes({ description, 'x-extensible-enum': meanings }: Node): Node {
  if (!isRecord(meanings)) return {};
  const values = Object.keys(meanings);
  const known = `Known values: ${values.map((value) => `\`${value}\``).join(', ')}. A later version may send others.`;
  return {
    description: [description, '', known].join('\n'),
    'x-extensible-enum': values,
    'x-enumDescriptions': meanings,
  };
}

/** Removes each alternative of `security` that needs a security scheme which the document does not define. */
function withoutSessions(node: unknown, isKnown: (scheme: string) => boolean): unknown {
  if (Array.isArray(node)) return node.map((child) => withoutSessions(child, isKnown));
  if (!isRecord(node)) return node;
  const entries = Object.entries(node).map(([key, child]) => {
    if (key !== 'security' || !Array.isArray(child)) return [key, withoutSessions(child, isKnown)];
    return [key, child.filter((alternative) => Object.keys(alternative).every(isKnown))];
  });
  return Object.fromEntries(entries);
}

function methodsOf(item: unknown): string[] {
  return Object.keys(Object(item)).filter((key) => key !== 'parameters');
}

function usedTags(tags: unknown, used: Node): unknown {
  const operations = [used.paths, used.webhooks].flatMap((paths) =>
    Object.values(Object(paths)).flatMap((item) => methodsOf(item).map((method) => Object(item)[method])),
  );
  const names = new Set(operations.flatMap((operation) => operation.tags));
  return (tags as { name: string }[]).filter(({ name }) => names.has(name));
}

export function usedComponents(components: Record<string, Node>, used: Node): Node {
  const pointers = new Set<string>();
  const pending: unknown[] = [used];
  for (const node of pending) {
    for (const pointer of refsIn(node)) {
      if (pointers.has(pointer)) continue;
      pointers.add(pointer);
      pending.push(lookUp({ components }, pointer));
    }
  }
  const kept = Object.entries(components).map(([kind, named]) => {
    const isUsed = (name: string) => kind === 'securitySchemes' || pointers.has(`#/components/${kind}/${name}`);
    return [kind, Object.fromEntries(Object.entries(named).filter(([name]) => isUsed(name)))];
  });
  return Object.fromEntries(kept);
}

function refsIn(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(refsIn);
  if (!isRecord(node)) return [];
  return Object.entries(node).flatMap(([key, child]) =>
    key === '$ref' && typeof child === 'string' ? [child] : refsIn(child),
  );
}
