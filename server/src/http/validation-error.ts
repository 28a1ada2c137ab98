import type { ContractDocument, ErrorCode } from '@tillhook/openapi';
import { AppError } from '../kit/errors.ts';

/** One problem as the validator reports it: `/body/amount`, `minimum.openapi.validation`. */
interface Problem {
  path: string;
  message: string;
  errorCode?: string;
}

/**
 * The validator's problems as one error of ours, all of them in `details`. The code is the first problem's; a schema
 * with `x-error-code` gives its own to every problem but a wrong type.
 */
export function validationError(
  problems: readonly Problem[],
  document: ContractDocument,
  operation: unknown,
): AppError {
  const found = problems.map((problem) => translate(problem, document, operation));
  const [first] = found;
  if (!first) return new AppError('invalid_parameter', 'The request is not valid');
  if (first.path === '' && first.rule === 'required') return new AppError('invalid_json', 'The request body is empty');
  const param = first.path.split('/')[1];
  return new AppError(first.code, `${param ?? 'The body'} ${first.message}`, {
    ...(param && { param }),
    details: found.map(({ path, rule, message }) => ({ path, code: rule, message })),
  });
}

function translate({ path, message, errorCode }: Problem, document: ContractDocument, operation: unknown) {
  const [, part, ...keys] = path.split('/');
  const rule = errorCode?.split('.')[0] ?? ruleOf(message);
  const pointer = keys.map((key) => `/${key}`).join('');
  const schema = part === 'body' ? schemaAt(bodySchema(operation), keys, document) : undefined;
  return { path: pointer, rule, code: codeFor(rule, schema), message: wording(rule, message) };
}

/** What the validator refuses before it has a schema to name carries no code, only a sentence. */
function ruleOf(message: string): string {
  if (message.startsWith('Unknown query parameter')) return 'unknown';
  return message.startsWith('Empty value') ? 'empty' : 'malformed';
}

function codeFor(rule: string, schema: ContractDocument | undefined): ErrorCode {
  if (rule === 'required') return 'missing_parameter';
  if (rule === 'additionalProperties' || rule === 'unknown') return 'unknown_parameter';
  if (rule === 'type') return 'invalid_parameter';
  return schema?.['x-error-code'] ?? 'invalid_parameter';
}

function wording(rule: string, message: string): string {
  if (rule === 'required') return 'is required';
  if (rule === 'additionalProperties') return 'is not a field of this operation';
  if (rule === 'unknown') return 'is not a parameter of this operation';
  if (rule === 'empty') return 'must not be empty';
  if (rule === 'malformed') return 'is malformed';
  return message;
}

function bodySchema(operation: unknown): ContractDocument | undefined {
  return (operation as ContractDocument | undefined)?.requestBody?.content?.['application/json']?.schema;
}

function schemaAt(
  schema: ContractDocument | undefined,
  keys: string[],
  document: ContractDocument,
): ContractDocument | undefined {
  const found = resolve(schema, document);
  const [key, ...rest] = keys;
  if (!found || key === undefined) return found;
  return schemaAt(found.properties?.[key] ?? found.items, rest, document);
}

function resolve(schema: ContractDocument | undefined, document: ContractDocument): ContractDocument | undefined {
  const name = /^#\/components\/schemas\/(.+)$/.exec(schema?.$ref ?? '')?.[1];
  return name ? document.components.schemas[name] : schema;
}
