/** The files that are made from the contract and the package's version, by their names in `src/generated/`. */
import { type ContractDocument, follow } from '@tillhook/openapi';
import { comment, docComment } from './doc-comment.ts';
import { type SdkOperation, schemaName, sdkOperations } from './sdk-operations.ts';

const heading = '// Made by `npm run generate` from openapi/openapi.yaml. Do not edit.\n';

export function generatedFiles(document: ContractDocument, version: string): Record<string, string> {
  const operations = sdkOperations(document);
  return {
    'version.ts': `${heading}export const version = '${version}';\n`,
    'routes.ts': routesFile(operations),
    'schemas.ts': schemasFile(document, operations),
    'resources.ts': resourcesFile(document, operations),
    'client-resources.ts': clientFile(document, {
      name: 'ClientResources',
      operations: operations.filter(({ takesKey }) => takesKey),
    }),
    'session-resources.ts': clientFile(document, {
      name: 'SessionResources',
      operations: operations.filter(({ takesSession }) => takesSession),
    }),
  };
}

/** Where each operation lives and what it takes. */
function routesFile(operations: SdkOperation[]): string {
  const entries = operations.map((operation) => {
    const { id, method, path, credential, isKeyed, hasQuery, headers, body, items, isTimed } = operation;
    const input = body ? 'body' : hasQuery && 'query';
    const named = headers.map(({ name }) => [optionName(name), name]);
    const route = {
      method,
      path,
      credential,
      ...(input && { input }),
      ...(isKeyed && { isKeyed }),
      ...(named.length > 0 && { headers: Object.fromEntries(named) }),
      ...(items && { items }),
      ...(items && isTimed && { isTimed }),
    };
    return `  ${id}: ${JSON.stringify(route)},\n`;
  });
  const traits = operations.map(({ id, isKeyed, headers, items }) => {
    const options = headers.map(({ name }) => `${optionName(name)}: '${name}'`);
    const known = [
      ...(isKeyed ? ['isKeyed: true'] : []),
      ...(options.length > 0 ? [`headers: { ${options.join('; ')} }`] : []),
      ...(items ? [`items: '${items}'`] : []),
    ];
    return `  ${id}: { ${known.join('; ')} };\n`;
  });
  return `${heading}import type { Route } from '../route.ts';

/** What the types of methods depend on. */
export interface Traits {
${traits.join('')}}

export const routes: { readonly [Id in keyof Traits]: Route } = {
${entries.join('')}};
`;
}

/** Every schema that a caller sends or gets, by name. */
function schemasFile(document: ContractDocument, operations: SdkOperation[]): string {
  const seen = new Set<string>();
  for (const { definition } of operations) {
    collectSchemas(document, { value: [definition.parameters, definition.requestBody, definition.responses], seen });
  }
  const refs = [...seen].filter((ref) => ref.startsWith('#/components/schemas/')).sort();
  const types = refs.map((ref) => {
    const { description } = follow(document, { $ref: ref });
    const doc = description ? `${comment([description.trim()])}\n` : '';
    return `${doc}export type ${schemaName(ref)} = Schemas['${ref.split('/').at(-1)}'];\n`;
  });
  return `${heading}import type { components } from '@tillhook/openapi';

type Schemas = components['schemas'];
${types.join('')}`;
}

function collectSchemas(document: ContractDocument, { value, seen }: { value: unknown; seen: Set<string> }): void {
  if (value === null || typeof value !== 'object') return;
  for (const [key, child] of Object.entries(value)) {
    if (key === '$ref' && !seen.has(child)) {
      seen.add(child);
      collectSchemas(document, { value: follow(document, { $ref: child }), seen });
    } else collectSchemas(document, { value: child, seen });
  }
}

/** An interface for each resource, for the reader, and the one line for each method, for the machine. */
function resourcesFile(document: ContractDocument, operations: SdkOperation[]): string {
  const named = operations.flatMap(({ body, pathParameters }) => [body, ...pathParameters].map((input) => input?.type));
  const schemas = [...new Set(named)].filter((type) => type && type !== 'string' && !type.startsWith('Body<')).sort();
  const resources = [...byResource(document, operations)].map(([name, methods]) => {
    const signatures = methods.map((operation) =>
      indent(`${docComment(document, operation)}\n${signature(operation)}`),
    );
    const lines = methods.map(({ verb, id }) => `  ${verb}: op('${id}'),\n`);
    return `export interface ${capitalised(name)} {
${signatures.join('\n')}
}

export const ${name} = (op: BindOperation): ${capitalised(name)} => ({
${lines.join('')}});
`;
  });
  const inline = named.some((type) => type?.startsWith('Body<'));
  const operationTypes = [...(inline ? ['Body'] : []), 'OptionsOf', 'Query'];
  return `${heading}import type { Call } from '../call.ts';
import type { BindOperation } from '../methods.ts';
import type { ${operationTypes.join(', ')} } from '../operations.ts';
import type { PageCall } from '../page-call.ts';
import type { ${schemas.join(', ')} } from './schemas.ts';

${resources.join('\n')}`;
}

function signature({ verb, id, pathParameters, body, hasQuery, items }: SdkOperation): string {
  const input = [
    ...pathParameters.map(({ name, type }) => `${name}: ${type}`),
    ...(body ? [`body${body.isRequired ? '' : '?'}: ${body.type}`] : []),
    ...(!body && hasQuery ? [`query?: Query<'${id}'>`] : []),
    `options?: OptionsOf<'${id}'>`,
  ];
  return `${verb}(${input.join(', ')}): ${items ? 'PageCall' : 'Call'}<'${id}'>;`;
}

/** What a client holds: each resource whose operations it may call, or as much of it. */
function clientFile(document: ContractDocument, client: { name: string; operations: SdkOperation[] }): string {
  const all = byResource(document, sdkOperations(document));
  const own = [...byResource(document, client.operations)];
  const isWhole = (name: string, methods: SdkOperation[]) => methods.length === all.get(name)?.length;
  const fields = own.map(([name, methods]) => {
    const verbs = methods.map(({ verb }) => `'${verb}'`).join(' | ');
    const whole = `resources.${capitalised(name)}`;
    const doc = document['x-sdk-resources']?.[name];
    const type = isWhole(name, methods) ? whole : `Pick<${whole}, ${verbs}>`;
    return `${doc ? `${indent(comment([doc]))}\n` : ''}  readonly ${name}: ${type};\n`;
  });
  const made = own.map(([name, methods]) => {
    if (isWhole(name, methods)) return `    this.${name} = resources.${name}(op);\n`;
    const lines = methods.map(({ verb, id }) => `      ${verb}: op('${id}'),\n`);
    return `    this.${name} = {\n${lines.join('')}    };\n`;
  });
  return `${heading}import type { BindOperation } from '../methods.ts';
import * as resources from './resources.ts';

export class ${client.name} {
${fields.join('')}
  constructor(op: BindOperation) {
${made.join('')}  }
}
`;
}

function byResource(document: ContractDocument, operations: SdkOperation[]): Map<string, SdkOperation[]> {
  const named = new Map(Object.keys(document['x-sdk-resources'] ?? {}).map((name) => [name, [] as SdkOperation[]]));
  for (const operation of operations) {
    named.set(operation.resource, [...(named.get(operation.resource) ?? []), operation]);
  }
  return new Map([...named].filter(([, methods]) => methods.length > 0));
}

export function optionName(header: string): string {
  return capitalised(header.replaceAll('-', '')).replace(/^./, (letter) => letter.toLowerCase());
}

function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function indent(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ');
}
