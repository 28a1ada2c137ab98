/** A program in Python that calls an operation, without a library, made from the examples of the contract. */
import type { Model, ModelOperation } from '@tillhook/openapi';
import { addressOf, credentialHeaders, usualBody } from './call-sample.ts';

export function pythonSample(model: Model, operation: ModelOperation, publicUrl: string): string {
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

/** Writes a JSON value as a literal of Python, whose strings may be written as in JSON. */
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
