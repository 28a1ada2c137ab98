import '../mock/unobserved.ts';
import { type ModelOperation, readContract } from '@tillhook/openapi';
import test from 'ava';
import { bothSidesForFile, errorAnswerOf, type Side } from '../mock/both-sides.ts';
import { pathOf, roleOf, schemesOf } from '../support/calls/call-example.ts';

const bothSides = bothSidesForFile();

/** Only one parameter is tested with all of the invalid numbers, because the same code parses all parameters. */
const noWholeNumbers = ['1e400', '0x10', '1.0'];
const moreOfThem = ['Infinity', '-Infinity', 'NaN', '-1e400', '1e1', '0b1', ' 5', '5 ', '+5', '٥'];
const nines = '9'.repeat(400);
const tooLarge = [nines, '0'.repeat(400) + nines];

for (const operation of readContract().model.operations) {
  for (const { name, schema, in: place } of operation.parameters) {
    if (schema.type !== 'integer') continue;
    test(`400 when ${name} is not a whole number in digits, or has hundreds of digits: ${operation.id}`, async (t) => {
      // The tested parser reads numbers only in queries. A number in a path or a header would need another parser.
      t.is(place, 'query');
      const { server, mock } = await bothSides();
      const [tooLargeProblem, tooSmallProblem] = schema.enum
        ? Array(2).fill(`must be one of: ${schema.enum.join(', ')}`)
        : [`must be at most ${schema.maximum}`, `must be at least ${schema.minimum}`];
      const expected = [
        ...[...noWholeNumbers, ...(operation.id === 'listPayments' ? moreOfThem : [])].map((text) => [
          text,
          'must be a whole number',
        ]),
        ...tooLarge.map((text) => [text, tooLargeProblem]),
        [`-${nines}`, tooSmallProblem],
      ];
      for (const [text = '', problem] of expected) {
        const refused = await ask(server, operation, { name, text });

        t.like(refused, { status: 400, param: name, message: `${name} ${problem}` }, text);
        t.deepEqual(await ask(mock, operation, { name, text }), refused, text);
      }
    });
  }
}

function ask(side: Side, operation: ModelOperation, { name, text }: { name: string; text: string }): Promise<unknown> {
  const [scheme] = schemesOf(operation);
  const headers = scheme ? side.headersFor(scheme, roleOf(operation)) : {};
  return errorAnswerOf(side, `${pathOf(operation)}?${name}=${encodeURIComponent(text)}`, { headers });
}
