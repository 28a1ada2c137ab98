/** One answer reports up to a hundred problems of a request. Further problems cost the server no time. */
import { type Problem, refusalOf } from '@tillhook/openapi/refusals/problems';
import test from 'ava';
import { serverForFile } from '../support/server/tillhook.ts';
import { postSession } from '../support/users/session.ts';

const server = serverForFile();

const nul = '\0';
const crowded: [situation: string, body: unknown][] = [
  ['names that cannot be stored', Object.fromEntries(Array.from({ length: 1500 }, (_, index) => [nul + index, index]))],
  ['unknown fields', Object.fromEntries(Array.from({ length: 1500 }, (_, index) => [`field${index}`, index]))],
  ['long names of fields', Object.fromEntries(Array.from({ length: 150 }, (_, index) => ['x'.repeat(500) + index, 1]))],
];

for (const [situation, body] of crowded) {
  test(`an answer reports a hundred problems of a body with too many ${situation}`, async (t) => {
    const response = await postSession(server(), body);

    t.is(response.status, 400);
    t.is((await response.json()).error.details.length, 100);
  });
}

test('an unknown field is one problem, whatever is in it', async (t) => {
  const response = await postSession(server(), { email: 'a', password: 'b', list: Array(1500).fill(nul) });

  t.is(response.status, 400);
  t.deepEqual((await response.json()).error.details, [
    { path: '/list', code: 'additionalProperties', message: 'is not a field of this operation' },
  ]);
});

test('an answer reports a hundred problems of a query with too many unknown parameters', async (t) => {
  const query = Array.from({ length: 1500 }, (_, index) => `q${index}`).join('&');

  const response = await server().request(`/api/v1/dashboard/session?${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });

  const { details } = (await response.json()).error;
  t.is(details.length, 100);
  // What the schemas refuse comes first.
  t.deepEqual(details.map(({ path }: { path: string }) => path).slice(0, 3), ['/email', '/password', '/q0']);
});

// The path of each of the 1,500 strings contains the name of 50 KB, so all of the paths together would be 75 MB.
test('an answer repeats a long name at most a hundred times, however many bad strings are below it', async (t) => {
  const name = 'k'.repeat(50_000);
  const response = await postSession(server(), { [name]: Array(1500).fill(nul) });

  const text = await response.text();
  t.is(response.status, 400);
  t.true(text.length < 100_000, `The answer has ${text.length} characters`);
});

test('the server reads each problem a fixed number of times, however many problems there are', (t) => {
  let looks = 0;
  const problem = (pointer: string, rule: string): Problem => ({
    part: 'body',
    get pointer() {
      looks++;
      return pointer;
    },
    message: '',
    rule,
  });
  const pointers = Array.from({ length: 2000 }, (_, index) => `/list/${index}`);
  const problems = ['pattern', 'characters'].flatMap((rule) => pointers.map((pointer) => problem(pointer, rule)));

  const { details } = refusalOf(problems, undefined);

  t.is(details.length, 100);
  t.true(looks <= 2 * problems.length, `${looks} looks at ${problems.length} problems`);
});

test('a string with forbidden characters is not also reported for its pattern, however many there are', async (t) => {
  const response = await postSession(server(), { email: nul, password: nul });

  const { details } = (await response.json()).error;
  t.deepEqual(
    details.map(({ path, code }: { path: string; code: string }) => [path, code]),
    [
      ['/email', 'characters'],
      ['/password', 'characters'],
    ],
  );
});
