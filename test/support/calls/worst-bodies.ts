/** Each body has as many mistakes at one place as fit into the maximum length, so it is expensive to refuse. */
import type { ModelOperation, Schema } from '@tillhook/openapi';
import { limitBytes, maxValues } from '@tillhook/openapi/rules/json-body';

export interface WorstBody {
  what: string;
  text: string;
}

/** The service refuses a body with too many values at once, so a body with fewer values may be more expensive. */
interface Room {
  bytes: number;
  values: number;
}

export function worstBodies({ body, bodyLimit }: ModelOperation): WorstBody[] {
  if (!body) return [];
  const bytes = bodyLimit ?? limitBytes;
  const places = placesIn(body.schema);
  return [
    ...places.flatMap((place) => worstAt(place, { bytes, values: maxValues - 10 })),
    ...places.slice(0, 1).flatMap((place) => worstAt(place, { bytes, values: Number.POSITIVE_INFINITY })),
    ...places.flatMap((place) => worstStrings(place, bytes)),
    ...shapeless(bytes),
  ];
}

interface Place {
  pointer: string;
  schema: Schema;
  before: string;
  after: string;
}

function placesIn(schema: Schema, wrapped: Omit<Place, 'schema'> = { pointer: '', before: '', after: '' }): Place[] {
  const { properties = {}, items, additionalProperties } = schema;
  const { pointer, before, after } = wrapped;
  const below = (name: string, child: Schema, [open, close]: [string, string]) =>
    placesIn(child, { pointer: `${pointer}/${name}`, before: before + open, after: close + after });
  return [
    { schema, ...wrapped },
    ...Object.entries(properties).flatMap(([name, child]) => below(name, child, [`{"${name}":`, '}'])),
    ...(items ? below('0', items, ['[', ']']) : []),
    ...(typeof additionalProperties === 'object' ? below('key', additionalProperties, ['{"key":', '}']) : []),
  ];
}

function worstAt(place: Place, room: Room): WorstBody[] {
  const { schema } = place;
  const fields = (fieldOf: (index: number) => string) => repeated(place, room, ['{', fieldOf, '}']);
  const items = (itemOf: (index: number) => string) => repeated(place, room, ['[', itemOf, ']']);
  const at = (what: string, text: string) => ({ what: `${place.pointer || '/'}: ${what}`, text });
  const types = [schema.type].flat();
  const found: WorstBody[] = [];
  if (types.includes('object')) {
    found.push(
      at(
        'fields of any name',
        fields((index) => `"${nameOf(index)}":0`),
      ),
      at(
        'fields with numbers as names',
        fields((index) => `"${index}":0`),
      ),
      at(
        'fields whose names cannot be stored',
        fields((index) => `"\\u0000${nameOf(index)}":0`),
      ),
      at(
        'fields with strings that cannot be stored',
        fields((index) => `"${nameOf(index)}":"\\ud800"`),
      ),
      at('a long name', long(place, room.bytes, ['{"', 'a', '":0}'])),
    );
  }
  if (types.includes('array')) {
    found.push(
      at(
        'numbers',
        items(() => '0'),
      ),
      at(
        'objects with a field of any name',
        items(() => '{"a":1}'),
      ),
      at(
        'empty objects',
        items(() => '{}'),
      ),
      at(
        'lists',
        items(() => '[]'),
      ),
      at(
        'strings that cannot be stored',
        items(() => '"\\u0000"'),
      ),
      at('as many items as are allowed, each with fields of any name', crowdedItems(place, room)),
    );
  }
  if (!types.includes('object'))
    found.push(
      at(
        'an object',
        fields((index) => `"${nameOf(index)}":0`),
      ),
    );
  if (!types.includes('array'))
    found.push(
      at(
        'a list',
        items(() => '[]'),
      ),
    );
  return found;
}

function crowdedItems(place: Place, { bytes, values }: Room): string {
  const count = place.schema.maxItems ?? 1;
  const each = {
    bytes: Math.floor((bytes - place.before.length - place.after.length - 2) / count) - 1,
    values: Math.floor(values / count) - 1,
  };
  const item = repeated({ ...place, before: '', after: '' }, each, ['{', (index) => `"${nameOf(index)}":0`, '}']);
  return `${place.before}[${Array(count).fill(item).join()}]${place.after}`;
}

function worstStrings(place: Place, bytes: number): WorstBody[] {
  if (![place.schema.type].flat().includes('string')) return [];
  const parts = ['a', '\\u0000', '\\ud83d\\ude00', 'a@a.'];
  return parts.map((part) => ({
    what: `${place.pointer}: a string of ${part}`,
    text: long(place, bytes, ['"', part, '"']),
  }));
}

function shapeless(bytes: number): WorstBody[] {
  const root = { pointer: '', schema: { pointer: '' }, before: '', after: '' };
  const room = { bytes, values: Number.POSITIVE_INFINITY };
  const deep = `${'['.repeat(30)}${']'.repeat(30)}`;
  return [
    { what: 'brackets without end', text: '['.repeat(bytes) },
    { what: 'a long number', text: '1'.repeat(bytes) },
    { what: 'lists of lists', text: repeated(root, room, ['{"a":[', () => deep, ']}']) },
    { what: 'no JSON at its end', text: `${long(root, bytes - 1, ['{"a":"', 'a', '"}'])}]` },
    { what: 'the same field again and again', text: repeated(root, room, ['{', () => '"a":{}', '}']) },
  ];
}

function repeated(
  { before, after }: Place,
  { bytes, values }: Room,
  [open, partOf, close]: [open: string, partOf: (index: number) => string, close: string],
): string {
  const parts: string[] = [];
  let left = bytes - before.length - after.length - open.length - close.length;
  while (parts.length < values) {
    const part = partOf(parts.length);
    left -= part.length + 1;
    if (left < 0) break;
    parts.push(part);
  }
  return `${before}${open}${parts.join()}${close}${after}`;
}

function long({ before, after }: Place, bytes: number, [open, part, close]: [string, string, string]): string {
  const left = bytes - before.length - after.length - open.length - close.length;
  return `${before}${open}${part.repeat(left / part.length)}${close}${after}`;
}

const nameOf = (index: number) => `_${index.toString(36)}`;
