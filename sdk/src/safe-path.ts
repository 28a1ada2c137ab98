import { ValidationError } from './errors.ts';

/**
 * Fills the parameters into a path, so that each is exactly one segment. A slash is encoded. `.` and `..` are rejected,
 * because a URL treats `%2e%2e` as `..` too, so encoding does not help.
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
