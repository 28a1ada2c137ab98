/**
 * Generates code that calls an operation, from the examples of the contract.
 * See docs/decisions/docs.md, "Samples are in the languages whose programs the tests run".
 */
import type { Model, ModelExample, ModelOperation, SchemeName } from '@tillhook/openapi';
import { languages } from '../../../docs/quick-start/languages.ts';
import { fenced } from '../../src/kit/tables.ts';
import { callPrograms, type Header } from './call-programs.ts';
import { typeScript, valueText } from './value-text.ts';

/** The page shows the samples as tabs, in the languages that the dashboard has too. */
export function callSamples(model: Model, operation: ModelOperation, publicUrl: string): string {
  const programs = languages.map(({ name, fence }) => {
    const code = name === 'TypeScript' ? sdkSample(operation) : programIn(name, model, operation, publicUrl);
    return code === null ? '' : fenced(`${fence} ${name}`, code);
  });
  return [fenced('sh curl', curlSample(model, operation, publicUrl)), ...programs].filter(Boolean).join('\n\n');
}

function programIn(language: string, model: Model, operation: ModelOperation, publicUrl: string): string {
  const write = callPrograms[language];
  if (!write) throw new Error(`No program in ${language} sends a request.`);
  const headers = credentialHeaders(model, operation).map(partsOf);
  const body = usualBody(operation);
  return write({
    method: operation.method.toUpperCase(),
    url: `${publicUrl}${addressOf(operation)}`,
    headers: body ? [...headers, { name: 'Content-Type', text: 'application/json' }] : headers,
    ...(body && { body: body.value }),
  });
}

/** `Cookie: name=$SESSION` has the text `name=` and the variable `SESSION`. */
function partsOf(header: string): Header {
  const [, name = '', text = '', variable] = /^([^:]+): ([^$]*)(?:\$(\w+))?$/.exec(header) ?? [];
  return { name, text, variable };
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
  const inPath = parameters
    .filter((parameter) => parameter.in === 'path')
    .map(({ example }) => valueText(example, typeScript));
  const body = usualBody(operation);
  const call = (more: string[] = []) => `tillhook.${sdkMethod}(${[...inPath, ...more].join(', ')})`;
  if (body) return `const answer = await ${call([valueText(body.value, typeScript)])};`;
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
