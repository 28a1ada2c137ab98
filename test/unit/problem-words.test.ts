/** The sentences of the dashboard for what the validator of the service says. */
import { namedProblem, problemSentence } from '@tillhook/dashboard/src/kit/problem-words.ts';
import test from 'ava';

const sentences = {
  'must match format "uri"': 'Type a web address such as https://shop.example.com.',
  'must match format "email"': 'Type an email address such as ada@example.com.',
  'must match format "hostname"': 'It is not written in the right way.',
  'must match pattern "^[A-Za-z0-9._=-]{6,64}$"':
    'It has a character that is not accepted here, or is too short or too long.',
  'must NOT have fewer than 1 characters': 'It must not be empty.',
  'must NOT have fewer than 6 characters': 'Type at least 6 characters.',
  'must NOT have more than 200 characters': 'Type at most 200 characters.',
  'must NOT have fewer than 2 items': 'Choose at least 2.',
  'must be >= 1': 'It must be at least 1.',
  'must be <= 999999999999': 'It must be at most 999999999999.',
  'must be equal to one of the allowed values: NGN, USD': 'It must be one of these: NGN, USD.',
  'must be string': 'It is not written in the right way.',
  'must begin with http:// or https://': 'Must begin with http:// or https://.',
  'is required': 'Is required.',
};

for (const [message, sentence] of Object.entries(sentences)) {
  test(`"${message}" is "${sentence}"`, (t) => {
    t.is(problemSentence(message), sentence);
  });
}

test('a message that begins with the name of its field keeps the name', (t) => {
  t.is(namedProblem('code must NOT have fewer than 6 characters', 'code'), 'Code: type at least 6 characters.');
  t.is(namedProblem('url must begin with https://', 'url'), 'Url must begin with https://.');
  t.is(namedProblem('The payment is over', null), 'The payment is over.');
});
