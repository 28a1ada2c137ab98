import { ValidationError } from './errors.ts';

/**
 * Inserts the parameters into a path, so that each parameter is exactly one segment. A slash is encoded. `.` and `..`
 * are rejected: encoding them would not help, because a URL parser treats `%2e%2e` as `..`.
 */
export function safePath(template: string, values: Record<string, unknown>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => segment(name, values[name]));
}

function segment(name: string, value: unknown): string {
  if (typeof value === 'string' && !['', '.', '..'].includes(value) && value.isWellFormed()) {
    return encodeURIComponent(value);
  }
  throw new ValidationError(
    `${name} must be a string that can be a path segment, and is ${typeof value === 'string' ? `"${value}"` : typeof value}.`,
    {
      code: 'invalid_parameter',
      param: name,
    },
  );
}
