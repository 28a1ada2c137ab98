/** The forms in which people have the headers of a captured webhook. Each says the same two headers. */
export const expectedHeaders = { 'webhook-id': 'e-1', 'content-type': 'application/json; charset=utf-8' };

const lines = ['Webhook-Id: e-1', 'Content-Type: application/json; charset=utf-8'];

const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le');

export const headerForms: readonly (readonly [form: string, file: string | Buffer])[] = [
  ['lines', lines.join('\n')],
  ['lines that end with CRLF', `${lines.join('\r\n')}\r\n`],
  ['lines that end with CR', lines.join('\r')],
  ['the file of curl -D', ['HTTP/1.1 200 OK', ...lines, ''].join('\r\n')],
  ['what curl -v prints', lines.map((line) => `> ${line}`).join('\n')],
  ['lines with spaces before and behind', lines.map((line) => `  ${line.replace(':', ' :')}  `).join('\n')],
  ['quoted lines of an object', `'webhook-id': 'e-1',\n"Content-Type": "application/json; charset=utf-8",`],
  ['JSON', JSON.stringify({ 'Webhook-Id': 'e-1', 'Content-Type': 'application/json; charset=utf-8' }, null, 2)],
  ['JSON with lists', '{"webhook-id":["e-1"],"content-type":["application/json; charset=utf-8"]}'],
  ['UTF-8 with a byte order mark', `\uFEFF${lines.join('\n')}`],
  ['JSON with a byte order mark', `\uFEFF${JSON.stringify(expectedHeaders)}`],
  ['UTF-16 of PowerShell', utf16(lines.join('\r\n'))],
];

/** Files in which no reader finds a header. */
export const filesWithoutHeaders: readonly (readonly [what: string, file: string])[] = [
  ['an empty file', ''],
  ['a text', 'No header is here'],
  ['JSON that ends too early', '{"webhook-id": "e-1"'],
];
