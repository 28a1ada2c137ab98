/** How a language writes the values of JSON. */
export interface Syntax {
  none: string;
  yes: string;
  no: string;
  text: (value: string) => string;
  pair: (name: string, value: string) => string;
  edges: readonly [open: string, close: string];
  /** What stands between an edge and the fields, if they fit into one line. */
  gap: '' | ' ';
  emptyObject: string;
  step: string;
}

export const typeScript: Syntax = {
  none: 'null',
  yes: 'true',
  no: 'false',
  text: singleQuoted,
  pair: (name, value) => `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : singleQuoted(name)}: ${value}`,
  edges: ['{', '}'],
  gap: ' ',
  emptyObject: '{}',
  step: '  ',
};

export const ruby: Syntax = { ...typeScript, none: 'nil' };

/** Strings are written as in JSON, which Python accepts. */
export const python: Syntax = {
  none: 'None',
  yes: 'True',
  no: 'False',
  text: (value) => JSON.stringify(value),
  pair: (name, value) => `${JSON.stringify(name)}: ${value}`,
  edges: ['{', '}'],
  gap: '',
  emptyObject: '{}',
  step: '    ',
};

/** An empty list of PHP is a list in JSON too, so an empty object needs a class. */
export const php: Syntax = {
  ...typeScript,
  pair: (name, value) => `${singleQuoted(name)} => ${value}`,
  edges: ['[', ']'],
  gap: '',
  emptyObject: 'new stdClass()',
  step: '    ',
};

export function valueText(value: unknown, syntax: Syntax, indent = ''): string {
  if (value === null) return syntax.none;
  if (typeof value === 'boolean') return value ? syntax.yes : syntax.no;
  if (typeof value === 'string') return syntax.text(value);
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return `[${value.map((item) => valueText(item, syntax, indent)).join(', ')}]`;
  const inner = indent + syntax.step;
  const fields = Object.entries(value).map(([name, field]) => syntax.pair(name, valueText(field, syntax, inner)));
  if (fields.length === 0) return syntax.emptyObject;
  const [open, close] = syntax.edges;
  const line = [open, fields.join(', '), close].join(syntax.gap);
  return line.length < 44 ? line : `${open}\n${fields.map((field) => `${inner}${field},\n`).join('')}${indent}${close}`;
}

/** TypeScript, PHP and Ruby escape only the quote and the backslash in such a string. */
export function singleQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
