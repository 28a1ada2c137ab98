/** How an operation is called, by curl and by the SDK, with the examples of the contract. */
import type { ContractDocument, ContractOperation } from '@tillhook/openapi';
import { examplesOf, jsonContent, type NamedExample, resolve } from './resolve.ts';

type Parameters = ContractDocument[];

export function parametersOf(document: ContractDocument, { definition }: ContractOperation): Parameters {
  return (definition.parameters ?? []).map((parameter: ContractDocument) => resolve(document, parameter));
}

/** Complete lists take `limit` and `offset` as well, without effect; they have no time to be cut at. */
export function isPaged(document: ContractDocument, operation: ContractOperation): boolean {
  const names = parametersOf(document, operation).map(({ name }) => name);
  return names.includes('offset') && names.includes('to');
}

export function requestExamples(document: ContractDocument, { definition }: ContractOperation): NamedExample[] {
  return examplesOf(document, jsonContent(document, definition.requestBody));
}

/** The headers by which an operation learns who is calling, with what each shell variable is to hold. */
export function credentialHeaders(document: ContractDocument, { definition }: ContractOperation): string[] {
  const [first = {}] = definition.security ?? document.security;
  return Object.keys(first).map((scheme) => headerOf(scheme, document.components.securitySchemes[scheme]));
}

function headerOf(schemeName: string, { type, in: place, name }: ContractDocument): string {
  if (type === 'http') return 'Authorization: Bearer $KEY';
  if (place === 'cookie') return `Cookie: ${name}=$SESSION`;
  return schemeName === 'serviceMode' ? `${name}: test` : `${name}: $KEY`;
}

export function curlSample(document: ContractDocument, operation: ContractOperation, publicUrl: string): string {
  const { method, path } = operation;
  const body = requestExamples(document, operation)[0];
  const parts = [
    `curl ${method === 'get' || (method === 'post' && body) ? '' : `-X ${method.toUpperCase()} `}"${publicUrl}${address(document, operation, path)}"`,
    ...credentialHeaders(document, operation).map((header) => `-H "${header}"`),
    body && `-H 'Content-Type: application/json'`,
    body && `-d '${JSON.stringify(body.value).replaceAll("'", "'\\''")}'`,
  ];
  return parts.filter(Boolean).join(' \\\n  ');
}

/** Whether only `TillhookSession` has the operation's method: it takes no key. */
export function isOfSessions(document: ContractDocument, { definition }: ContractOperation): boolean {
  const schemes = (definition.security ?? document.security).flatMap(Object.keys);
  return !schemes.includes('bearerAuth') && !schemes.includes('apiKeyHeader');
}

/** Null for what the SDK does not have. */
export function sdkSample(document: ContractDocument, operation: ContractOperation): string | null {
  const method: string | undefined = operation.definition['x-sdk-method'];
  if (!method) return null;
  const parameters = parametersOf(document, operation);
  const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ example }) => literal(example));
  const body = requestExamples(document, operation)[0];
  const call = (more: string[] = []) => `tillhook.${method}(${[...inPath, ...more].join(', ')})`;
  if (body) return `const answer = await ${call([literal(body.value)])};`;
  if (!isPaged(document, operation)) return `const answer = await ${call()};`;
  return `const page = await ${call(['{ limit: 50 }'])};

for await (const record of ${call()}) {
  console.log(record);
}`;
}

function address(document: ContractDocument, operation: ContractOperation, path: string): string {
  const parameters = parametersOf(document, operation);
  return parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((filled, { name, example }) => filled.replace(`{${name}}`, encodeURIComponent(example)), path);
}

/** JSON as one writes it in TypeScript. */
function literal(value: unknown, indent = ''): string {
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  if (value === null || typeof value !== 'object') return String(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) return `[${value.map((item) => literal(item, indent)).join(', ')}]`;
  const fields = Object.entries(value).map(([key, field]) => `${nameIn(key)}: ${literal(field, inner)}`);
  const line = `{ ${fields.join(', ')} }`;
  if (fields.length === 0) return '{}';
  return line.length < 44 ? line : `{\n${fields.map((field) => `${inner}${field},\n`).join('')}${indent}}`;
}

function nameIn(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : `'${key}'`;
}
