/** Makes the headers for `x-deprecated-since` and `x-sunset` (RFC 9745, RFC 8594), and adds them to the document. */
import type { IncomingHttpHeaders } from 'node:http';
import { type Deprecation, type ModelOperation, type ModelParameter, methods } from './model.ts';
import { at, type Check, isFlag, isRecord, isText, lookUp, optional, type Place, required, wrong } from './place.ts';

export const deprecationKeys: readonly string[] = ['deprecated', 'x-deprecated-since', 'x-sunset'];

/** The contract promises that a deprecated operation or parameter stays for a year. */
const minDays = 365;
const dayMs = 86_400_000;

const isDay: Check<string> = (value): value is string =>
  isText(value) && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));

export function deprecationAt(place: Place): Deprecation | null {
  if (!optional(at(place, 'deprecated'), isFlag, false)) {
    if (at(place, 'x-sunset').value === undefined) return null;
    throw wrong(at(place, 'x-sunset'), 'needs deprecated: true beside it');
  }
  const since = required(at(place, 'x-deprecated-since'), isDay);
  const sunset = required(at(place, 'x-sunset'), isDay);
  if (Date.parse(sunset) - Date.parse(since) < minDays * dayMs) {
    throw wrong(at(place, 'x-sunset'), 'must be at least a year after x-deprecated-since');
  }
  return { since, sunset };
}

interface Sent {
  headers: IncomingHttpHeaders;
  queryNames: readonly string[];
}

/** If the operation and the sent parameters have different dates, the headers contain the earliest date. */
export function deprecationHeaders(operation: ModelOperation, sent: Sent): Record<string, string> {
  const used = [operation, ...operation.parameters.filter((parameter) => isSent(parameter, sent))];
  const found = used.flatMap(({ deprecation }) => deprecation ?? []);
  if (found.length === 0) return {};
  const first = (days: string[]) => Math.min(...days.map((day) => Date.parse(day)));
  return {
    Deprecation: `@${first(found.map(({ since }) => since)) / 1000}`,
    Sunset: new Date(first(found.map(({ sunset }) => sunset))).toUTCString(),
  };
}

function isSent({ name, in: place }: ModelParameter, { headers, queryNames }: Sent): boolean {
  if (place === 'path') return true;
  if (place === 'header') return headers[name.toLowerCase()] !== undefined;
  return queryNames.includes(name);
}

const headersOfDeprecated = {
  Deprecation: {
    description: 'From when what the call uses is deprecated, as `@` and a Unix time (RFC 9745).',
    schema: { type: 'string', pattern: '^@[0-9]+$', maxLength: 20 },
    example: '@1796083200',
  },
  Sunset: {
    description: 'From when it may be missing (RFC 8594).',
    schema: { type: 'string', maxLength: 29 },
    example: 'Tue, 29 Feb 2028 00:00:00 GMT',
  },
};

type Node = Readonly<Record<string, unknown>>;

export function withDeprecationHeaders(document: object): object {
  const targetOf = (node: unknown): Node =>
    isRecord(node) && typeof node.$ref === 'string' ? targetOf(lookUp(document, node.$ref)) : Object(node);
  const isDeprecated = (parameter: unknown) => targetOf(parameter).deprecated === true;
  // Operations share response components, so a deprecated operation gets copies of its components.
  const announced = (answer: unknown) => {
    const { headers, ...rest } = targetOf(answer);
    return { ...rest, headers: { ...Object(headers), ...headersOfDeprecated } };
  };
  const changed = (item: Node) =>
    mapValues(item, (operation, method) => {
      const isOperation = (methods as readonly string[]).includes(method) && isRecord(operation);
      const uses = isOperation ? [operation, item.parameters, operation.parameters].flat() : [];
      return isOperation && uses.some(isDeprecated)
        ? { ...operation, responses: mapValues(Object(operation.responses), announced) }
        : operation;
    });
  const { paths } = document as Node;
  return { ...document, paths: mapValues(Object(paths), (item) => changed(Object(item))) };
}

function mapValues(node: Node, change: (value: unknown, key: string) => unknown): Node {
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, change(value, key)]));
}
