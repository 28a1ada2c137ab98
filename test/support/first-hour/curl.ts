/** This `curl` has only the options that the documents use. */
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    silent: { type: 'boolean', short: 's' },
    request: { type: 'string', short: 'X' },
    header: { type: 'string', short: 'H', multiple: true },
    data: { type: 'string', short: 'd' },
  },
});
const { request, header = [], data } = values;
const body = data === '@-' ? await text(process.stdin) : data;
const answer = await fetch(positionals[0] ?? '', {
  method: request ?? (body === undefined ? 'GET' : 'POST'),
  headers: header.map((line): [string, string] => {
    const [name = '', value = ''] = line.split(/: (.*)/);
    return [name, value];
  }),
  ...(body !== undefined && { body }),
});
process.stdout.write(await answer.text());
