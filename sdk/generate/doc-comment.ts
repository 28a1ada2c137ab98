import { type ErrorBody, type ModelOperation, unmarked } from '@tillhook/openapi';
import { camelCase, type SdkOperation } from './sdk-operations.ts';

export function docComment(made: SdkOperation): string {
  const { operation, pathParameters } = made;
  return comment([
    `${operation.summary}.`,
    '',
    operation.description.trim(),
    '',
    ...pathParameters.map(({ name, description }) => `@param ${name} ${description}`),
    ...deprecationOf(operation),
    ...failuresOf(operation),
    '@example',
    exampleOf(made),
  ]);
}

export function followComment(resource: string, items: string): string {
  const one = singular(items);
  return comment([
    `Follows the ${items} as they happen, oldest first, for ever: each comes exactly once, also over restarts of the service.`,
    '',
    `Without \`after\` and \`from\` it begins now. Save the \`id\` of each ${one} together with what it changes, and give the`,
    'last one as `after` when the program starts again. `from` counts only while there is no `after`.',
    '',
    'A lost connection, 408, 425, 429 and 5xx are retried without end; the hook `retry` tells of them. The loop ends',
    'with `break`, or quietly when `signal` is aborted; both also end the request that is waiting.',
    '',
    '@throws {AuthenticationError} 401: The key is wrong, was revoked or has expired.',
    '@throws {PermissionError} 403: The key may not read them.',
    `@throws {ValidationError} 400: \`param\` is \`after\` if the service does not have that ${one}, or no longer.`,
    '@example',
    `for await (const ${one} of tillhook.${resource}.follow({ after: await savedId(), from: 'oldest' })) {`,
    `  await saveWithId(${one});`,
    '}',
  ]);
}

function deprecationOf({ deprecation }: ModelOperation): string[] {
  return deprecation
    ? [`@deprecated Since ${deprecation.since}. It may be missing from ${deprecation.sunset} on.`]
    : [];
}

/** The status codes whose meaning depends on the operation. Other status codes mean the same in all operations. */
const tellingStatuses = [404, 409, 422];

function failuresOf({ answers }: ModelOperation): string[] {
  return tellingStatuses.flatMap((status) => {
    const answer = answers.get(status);
    if (!answer) return [];
    const examples = [...(answer.content?.examples.values() ?? [])];
    const classes = new Set(examples.map(({ value }) => className((value as ErrorBody).error.type)));
    const thrown = classes.size > 0 ? [...classes].join(' | ') : 'TillhookError';
    return [`@throws {${thrown}} ${status}: ${answer.description.trim().replaceAll(/\s+/g, ' ')}`];
  });
}

function className(errorType: string): string {
  return errorType.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function exampleOf({ resource, verb, pathParameters, body, items }: SdkOperation): string {
  const input = [...pathParameters.map(({ example }) => example), ...(body ? [body.example] : [])];
  const call = `tillhook.${resource}.${verb}(${input.map(literal).join(', ')})`;
  if (!items) return `await ${call};`;
  return `for await (const ${singular(items)} of ${call}) console.log(${singular(items)});`;
}

function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (value !== null && typeof value === 'object') {
    const fields = Object.entries(value).map(([name, field]) => `${name}: ${literal(field)}`);
    return `{ ${fields.join(', ')} }`;
  }
  return typeof value === 'string' ? `'${value.replaceAll(/['\\]/g, '\\$&')}'` : String(value);
}

function singular(items: string): string {
  return camelCase(items.replace(/ies$/, 'y').replace(/s$/, ''));
}

/** Inserts an invisible character between a star and a slash, which would end the comment. */
export function comment(lines: readonly string[]): string {
  const text = unmarked(lines.join('\n')).replaceAll('*/', '*\u200b/').split('\n');
  return ['/**', ...text.map((line) => ` * ${line}`.trimEnd()), ' */'].join('\n');
}
