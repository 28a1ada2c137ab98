/**
 * A `$ref` to another file becomes a `$ref` within the document, and a `$ref` to an example becomes a copy.
 * See docs/decisions/contract.md, "Each tag of the contract has a file".
 */
import { posix } from 'node:path';
import { ContractError, isRecord, keysIn, lookUp, pointerTo, type Source } from './place.ts';

type Path = readonly (string | number)[];

export interface YamlFile {
  /** The path of the file, relative to the folder of `openapi.yaml`: `contract/payments.yaml`. */
  readonly name: string;
  readonly value: object;
  lineOf(path: Path): number;
}

/** Throws a `ContractError` on a `$ref` without a target, and on a name that `openapi.yaml` does not list. */
export function bundle([list, ...others]: readonly [YamlFile, ...YamlFile[]]): Source {
  const files = [list, ...others];
  const owners = new Map(namesIn(list.value).map((name) => [pointerTo(name), ownerOf(name)]));
  for (const file of others) {
    const unlisted = namesIn(file.value).find((name) => owners.get(pointerTo(name)) !== file && !isExample(name));
    if (unlisted) throw wrongAt(file, unlisted, `${unlisted.at(-1)} is not listed in ${list.name}`);
  }
  return {
    document: Object(copied(list, list.value, [])),
    lineOf: (path) => placeIn(owners.get(pointerTo(nameOf(path))) ?? list, path),
  };

  function ownerOf(name: Path): YamlFile {
    const ref = lookUp(list.value, `#${pointerTo(name)}/$ref`);
    const target = ref === undefined ? undefined : targetOf(list, name, ref);
    return target && isSame(name, target.path) ? target.file : list;
  }

  function copied(file: YamlFile, node: unknown, path: Path): unknown {
    if (Array.isArray(node)) return node.map((child, index) => copied(file, child, [...path, index]));
    if (!isRecord(node)) return node;
    const copy: Record<string, unknown> = {};
    for (const [key, child] of Object.entries(node)) {
      copy[key] = isRecord(child) ? copied(file, child, [...path, key]) : child;
    }
    return typeof node.$ref === 'string' ? followed(file, path, copy) : copy;
  }

  function followed(file: YamlFile, path: Path, { $ref: ref, ...beside }: Record<string, unknown>): unknown {
    const target = targetOf(file, path, ref);
    const isEntry = file === list && target.file !== list && isSame(path, target.path);
    if (isEntry || isExample(target.path)) {
      return { ...Object(copied(target.file, target.value, target.path)), ...beside };
    }
    if (owners.get(pointerTo(nameOf(target.path))) !== target.file) throw nothingAt(file, path, ref);
    return { $ref: `#${String(ref).split('#')[1]}`, ...beside };
  }

  function targetOf(file: YamlFile, path: Path, ref: unknown): { file: YamlFile; path: Path; value: unknown } {
    const [name, pointer] = String(ref).split('#');
    const target = name ? posix.join(posix.dirname(file.name), name) : file.name;
    const found = files.find((other) => other.name === target);
    const value = found && lookUp(found.value, `#${pointer}`);
    if (!found || value === undefined) throw nothingAt(file, path, ref);
    return { file: found, path: keysIn(String(pointer)), value };
  }
}

const nothingAt = (file: YamlFile, path: Path, ref: unknown): ContractError =>
  wrongAt(file, [...path, '$ref'], `nothing at ${ref}`);

/** Returns the keys of each path, event and component, such as `['components', 'schemas', 'Payment']`. */
function namesIn(document: object): string[][] {
  const { paths, webhooks, components } = document as Record<string, unknown>;
  const kinds = Object.entries(Object(components)).map(([kind, named]) => [['components', kind], named] as const);
  const all = [[['paths'], paths] as const, [['webhooks'], webhooks] as const, ...kinds];
  return all.flatMap(([above, named]) => Object.keys(Object(named)).map((name) => [...above, name]));
}

const isSame = (path: Path, other: Path = []): boolean => pointerTo(path) === pointerTo(other);

const nameOf = (path: Path): Path => path.slice(0, path[0] === 'components' ? 3 : 2);

const isExample = (path: Path): boolean => path[0] === 'components' && path[1] === 'examples';

const placeIn = (file: YamlFile, path: Path): string => `${file.name}:${file.lineOf(path)}`;

function wrongAt(file: YamlFile, path: Path, message: string): ContractError {
  return new ContractError(`${placeIn(file, path)}: ${message}`);
}
