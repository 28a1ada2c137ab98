/**
 * Generates code that calls an operation, from the examples of the contract.
 * See docs/decisions/docs.md, "Samples are in the languages whose programs the tests run".
 */
import type { Model, ModelExample, ModelOperation, SchemeName } from '@tillhook/openapi';
import { fenced } from '../../src/kit/tables.ts';

/** The page shows the samples of the languages as tabs. */
export function callSamples(model: Model, operation: ModelOperation, publicUrl: string): string {
  const sdk = sdkSample(operation);
  const programs = [
    fenced('sh curl', curlSample(model, operation, publicUrl)),
    sdk && fenced('ts TypeScript', sdk),
    fenced('python Python', pythonSample(model, operation, publicUrl)),
  ];
  return programs.filter(Boolean).join('\n\n');
}

/** A list that always returns all records has no parameter `to`, and ignores `limit` and `offset`. */
export function isPaged({ parameters }: ModelOperation): boolean {
  const names = parameters.map(({ name }) => name);
  return names.includes('offset') && names.includes('to');
}

export function credentialHeaders(model: Model, { security: [usual = []] }: ModelOperation): string[] {
  return usual.map((scheme) => headerOf(scheme, model));
}

/** The ways to authenticate a call, each with its headers. If the operation takes a key, the session is left out. */
export function credentialChoices(model: Model, operation: ModelOperation): string[][] {
  const ofKeys = operation.security.filter((schemes) => !schemes.includes('dashboardSession'));
  const shown = ofKeys.length > 0 ? ofKeys : operation.security;
  return shown.map((schemes) => schemes.map((scheme) => headerOf(scheme, model)));
}

function headerOf(name: SchemeName, { securitySchemes }: Model): string {
  const scheme = securitySchemes.get(name);
  if (!scheme || scheme.in === 'authorization') return 'Authorization: Bearer $KEY';
  if (scheme.in === 'cookie') return `Cookie: ${scheme.name}=$SESSION`;
  return name === 'serviceMode' ? `${scheme.name}: test` : `${scheme.name}: $KEY`;
}

export function curlSample(model: Model, operation: ModelOperation, publicUrl: string): string {
  const { method } = operation;
  const body = usualBody(operation);
  const parts = [
    `curl ${method === 'get' || (method === 'post' && body) ? '' : `-X ${method.toUpperCase()} `}"${publicUrl}${addressOf(operation)}"`,
    ...credentialHeaders(model, operation).map((header) => `-H "${header}"`),
    body && `-H 'Content-Type: application/json'`,
    body && `-d '${JSON.stringify(body.value).replaceAll("'", "'\\''")}'`,
  ];
  return parts.filter(Boolean).join(' \\\n  ');
}

/** Only `TillhookSession` has the methods of operations that take no key. */
export function isOfSessions({ security }: ModelOperation): boolean {
  const schemes = security.flat();
  return !schemes.includes('bearerAuth') && !schemes.includes('apiKeyHeader');
}

export function sdkSample(operation: ModelOperation): string | null {
  const { sdkMethod, parameters } = operation;
  if (!sdkMethod) return null;
  const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ example }) => literal(example));
  const body = usualBody(operation);
  const call = (more: string[] = []) => `tillhook.${sdkMethod}(${[...inPath, ...more].join(', ')})`;
  if (body) return `const answer = await ${call([literal(body.value)])};`;
  if (!isPaged(operation)) return `const answer = await ${call()};`;
  return `const page = await ${call(['{ limit: 50 }'])};

for await (const record of ${call()}) {
  console.log(record);
}`;
}

export function usualBody({ body }: ModelOperation): ModelExample | undefined {
  const [usual] = body?.examples.values() ?? [];
  return usual;
}

export function addressOf({ path, parameters }: ModelOperation): string {
  return parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((filled, { name, example }) => filled.replace(`{${name}}`, encodeURIComponent(String(example))), path);
}

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

/** The Python program needs no library. */
function pythonSample(model: Model, operation: ModelOperation, publicUrl: string): string {
  const { method } = operation;
  const body = usualBody(operation);
  const headers = credentialHeaders(model, operation).map(pythonHeader);
  if (body) headers.push("'Content-Type': 'application/json'");
  const isPlain = method === 'get' || (method === 'post' && body);
  const lines = [
    `'${publicUrl}${addressOf(operation)}',`,
    isPlain ? '' : `method='${method.toUpperCase()}',`,
    headers.length > 0 ? `headers={${headers.join(', ')}},` : '',
    body ? `data=json.dumps(${pythonValue(body.value, '    ')}).encode(),` : '',
  ];
  const imports = headers.some((header) => header.includes('os.')) ? 'json, os' : 'json';
  return `import ${imports}
from urllib.request import Request, urlopen

request = Request(
${lines
  .filter(Boolean)
  .map((line) => `    ${line}\n`)
  .join('')})
with urlopen(request) as answer:
    print(json.load(answer))`;
}

/** `Cookie: name=$SESSION` becomes `'Cookie': 'name=' + os.environ['SESSION']`. */
function pythonHeader(header: string): string {
  const [, name = '', text = '', variable] = /^([^:]+): ([^$]*)(?:\$(\w+))?$/.exec(header) ?? [];
  const parts = [text && `'${text}'`, variable && `os.environ['${variable}']`];
  return `'${name}': ${parts.filter(Boolean).join(' + ')}`;
}

/** Strings are written as in JSON, which Python accepts. */
function pythonValue(value: unknown, indent: string): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const inner = `${indent}    `;
  if (Array.isArray(value)) return `[${value.map((item) => pythonValue(item, indent)).join(', ')}]`;
  const fields = Object.entries(value).map(([key, field]) => `${JSON.stringify(key)}: ${pythonValue(field, inner)}`);
  const line = `{${fields.join(', ')}}`;
  return line.length < 44 ? line : `{\n${fields.map((field) => `${inner}${field},\n`).join('')}${indent}}`;
}
