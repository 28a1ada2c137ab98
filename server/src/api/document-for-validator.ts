import { csv } from './csv-answer.ts';

/**
 * Makes the copy of the contract's document that the validator gets. It is a copy because the validator rewrites its
 * document. For each answer that the validator compiles it walks through the whole document, so the copy has no
 * examples, no answers in CSV, which the validator never sees, and only one answer for all failures of an operation,
 * which have the same body. In the copy every query
 * parameter may be empty or hold reserved characters. Otherwise the validator would report only that problem and no
 * other. The schemas refuse such values too.
 *
 * In the copy the schemas are not at `components.schemas`, where the validator would compile all of them before the first
 * request. From their other place, it compiles those that an operation needs when the operation is first called.
 */
export function documentForValidator(document: object): object {
  const copy = copied(document, []) as { components: { schemas: Record<string, unknown> } };
  const { schemas, ...components } = copy.components;
  inlineInParameters(copy, schemas);
  return { ...copy, components: { ...components, [otherName]: schemas } };
}

const otherName = 'x-schemas';
/** `discriminator` repeats what `oneOf` says, and the validator would compile its schemas before the first request. */
const leftOut = new Set(['examples', 'example', 'discriminator', csv]);

function copied(node: unknown, path: readonly string[]): unknown {
  if (typeof node === 'string' && path.at(-1) === '$ref') return node.replace('/schemas/', `/${otherName}/`);
  if (node === null || typeof node !== 'object') return node;
  if (Array.isArray(node)) return node.map((item, index) => copied(item, [...path, String(index)]));
  const kept = Object.entries(node).filter(([key]) => !leftOut.has(key));
  const children = isResponses(path) ? withOneFailure(kept) : kept;
  const copy = Object.fromEntries(children.map(([key, child]) => [key, copied(child, [...path, key])]));
  return isQueryParameter(copy, path) ? { ...copy, allowReserved: true, allowEmptyValue: true } : copy;
}

/** The validator finds a schema at the other place everywhere but in parameters. */
function inlineInParameters(node: unknown, schemas: Record<string, unknown>): void {
  if (node === null || typeof node !== 'object') return;
  if ('in' in node && 'schema' in node) {
    const { $ref = '' } = node.schema as { $ref?: string };
    node.schema = schemas[$ref.split(`/${otherName}/`)[1] ?? ''] ?? node.schema;
  }
  for (const child of Object.values(node)) inlineInParameters(child, schemas);
}

type Entry = [key: string, child: unknown];

/** Whether the path leads to the responses of an operation: `paths/…/post/responses`. */
function isResponses([root, _path, _method, part, ...rest]: readonly string[]): boolean {
  return root === 'paths' && part === 'responses' && rest.length === 0;
}

function withOneFailure(responses: Entry[]): Entry[] {
  const isFailure = ([status]: Entry) => status >= '400';
  const [failure] = responses.filter(isFailure);
  const others = responses.filter((response) => !isFailure(response));
  return failure ? [...others, ['default', failure[1]]] : others;
}

function isQueryParameter(node: object, path: readonly string[]): boolean {
  const isParameter = path.at(-2) === 'parameters';
  return isParameter && 'in' in node && node.in === 'query' && 'name' in node;
}
