import { type Model, type ModelOperation, type Schema, schemasIn } from '@tillhook/openapi';
import { comment, docComment, followComment } from './doc-comment.ts';
import { type SdkOperation, schemaName, sdkOperations } from './sdk-operations.ts';

const heading = '// Made by `npm run generate` from openapi/openapi.yaml. Do not edit.\n';

export function generatedFiles(model: Model, version: string): Record<string, string> {
  const operations = sdkOperations(model);
  return {
    'version.ts': `${heading}export const version = '${version}';\n`,
    'routes.ts': routesFile(operations),
    'schemas.ts': schemasFile(model),
    'resources.ts': resourcesFile(model, operations),
    'client-resources.ts': clientFile(model, {
      name: 'ClientResources',
      operations: operations.filter(({ takesKey }) => takesKey),
      follows: true,
    }),
    'session-resources.ts': clientFile(model, {
      name: 'SessionResources',
      operations: operations.filter(({ takesSession }) => takesSession),
      follows: false,
    }),
  };
}

function routesFile(operations: SdkOperation[]): string {
  const entries = operations.map((operation) => {
    const { id, method, path, credential, isKeyed, hasQuery, headers, body, items, takesAfter, isFeed, hasCsv } =
      operation;
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
      ...(items && takesAfter && { takesAfter }),
      ...(items && isFeed && { isFeed }),
      ...(items && hasCsv && { hasCsv }),
    };
    return `  ${id}: ${JSON.stringify(route)},\n`;
  });
  const traits = operations.map(({ id, isKeyed, headers, items, isFeed, hasCsv }) => {
    const options = headers.map(({ name }) => `${optionName(name)}: '${name}'`);
    const known = [
      ...(isKeyed ? ['isKeyed: true'] : []),
      ...(options.length > 0 ? [`headers: { ${options.join('; ')} }`] : []),
      ...(items ? [`items: '${items}'`] : []),
      ...(items && isFeed ? ['isFeed: true'] : []),
      ...(items && hasCsv ? ['hasCsv: true'] : []),
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

function schemasFile({ operations, schemas }: Model): string {
  const named = new Set<string>();
  for (const schema of operations.flatMap(schemasOf)) collectNames(schema, named);
  const types = [...named].sort().map((name) => {
    const description = schemas.get(name)?.description;
    const doc = description ? `${comment([description.trim()])}\n` : '';
    return `${doc}export type ${schemaName(name)} = Schemas['${name}'];\n${formerName(name)}`;
  });
  return `${heading}import type { components } from '@tillhook/openapi';

type Schemas = components['schemas'];
${types.join('')}`;
}

/** The former names of types, which the SDK still exports. */
const formerNames: Readonly<Record<string, string>> = { RefundRequest: 'CreateRefundRequest' };

function formerName(name: string): string {
  const former = formerNames[name];
  return former ? `/** @deprecated It is now \`${name}\`. */\nexport type ${former} = ${schemaName(name)};\n` : '';
}

function schemasOf({ parameters, body, answers }: ModelOperation): Schema[] {
  const ofAnswers = [...answers.values()].flatMap(({ headers, content }) => [...headers.values(), content]);
  return [...parameters, body, ...ofAnswers].flatMap((part) => part?.schema ?? []);
}

function collectNames(schema: Schema, names: Set<string>): void {
  if (schema.name !== undefined && names.has(schema.name)) return;
  if (schema.name !== undefined) names.add(schema.name);
  for (const child of schemasIn(schema)) collectNames(child, names);
}

function resourcesFile(model: Model, operations: SdkOperation[]): string {
  const named = operations.flatMap(({ body, pathParameters }) => [body, ...pathParameters].map((input) => input?.type));
  const schemas = [...new Set(named)].filter((type) => type && type !== 'string' && !type.startsWith('Body<')).sort();
  const resources = [...byResource(model, operations)].map(([name, methods]) => {
    const declared = methods.map((operation) => indent(signatures(operation)));
    const lines = methods.flatMap(methodLines);
    return `export interface ${capitalised(name)} {
${declared.join('\n')}
}

export const ${name} = (op: BindOperation): ${capitalised(name)} => ({
${lines.map((line) => `  ${line}`).join('')}});
`;
  });
  const inline = named.some((type) => type?.startsWith('Body<'));
  const operationTypes = [...(inline ? ['Body'] : []), 'OptionsOf', 'Query'];
  return `${heading}import type { Call } from '../call.ts';
import { type Feed, type FollowOptions, type FollowQuery, feedOver } from '../feed.ts';
import type { BindOperation } from '../methods.ts';
import type { ${operationTypes.join(', ')} } from '../operations.ts';
import type { CsvPageCall, PageCall } from '../page-call.ts';
import type { ${schemas.join(', ')} } from './schemas.ts';

${resources.join('\n')}`;
}

function methodLines({ verb, id, items, isFeed }: SdkOperation): string[] {
  return [`${verb}: op('${id}'),\n`, ...(isFeed ? [`follow: feedOver(op('${id}'), '${items}'),\n`] : [])];
}

function signatures(operation: SdkOperation): string {
  const { id, resource, items, isFeed } = operation;
  const own = `${docComment(operation)}\n${signature(operation)}`;
  if (!isFeed) return own;
  return `${own}\n${followComment(resource, String(items))}
follow(query?: FollowQuery<'${id}'>, options?: FollowOptions): Feed<'${id}'>;`;
}

function signature(operation: SdkOperation): string {
  const { verb, id, pathParameters, body, hasQuery } = operation;
  const input = [
    ...pathParameters.map(({ name, type }) => `${name}: ${type}`),
    ...(body ? [`body${body.isRequired ? '' : '?'}: ${body.type}`] : []),
    ...(!body && hasQuery ? [`query?: Query<'${id}'>`] : []),
    `options?: OptionsOf<'${id}'>`,
  ];
  return `${verb}(${input.join(', ')}): ${callType(operation)}<'${id}'>;`;
}

function callType({ items, hasCsv }: SdkOperation): string {
  if (!items) return 'Call';
  return hasCsv ? 'CsvPageCall' : 'PageCall';
}

interface Client {
  name: string;
  operations: SdkOperation[];
  /** True when the feeds of this client have the method `follow`. */
  follows: boolean;
}

function clientFile(model: Model, client: Client): string {
  const all = byResource(model, sdkOperations(model));
  const own = [...byResource(model, client.operations)];
  // A page in a browser only shows lists. It would load the code of `follow` and never run it.
  const follows = (methods: SdkOperation[]) => client.follows || !methods.some(({ isFeed }) => isFeed);
  const isWhole = (name: string, methods: SdkOperation[]) =>
    methods.length === all.get(name)?.length && follows(methods);
  const fields = own.map(([name, methods]) => {
    const verbs = methods.map(({ verb }) => `'${verb}'`).join(' | ');
    const whole = `resources.${capitalised(name)}`;
    const doc = model.sdkResources.get(name);
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

function byResource({ sdkResources }: Model, operations: SdkOperation[]): Map<string, SdkOperation[]> {
  const named = new Map([...sdkResources.keys()].map((name) => [name, [] as SdkOperation[]]));
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
