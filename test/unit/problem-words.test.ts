import { namedProblem, problemSentence } from '@tillhook/dashboard/src/kit/problem-words.ts';
import test from 'ava';

const sentences = {
  'must be a web address, such as https://shop.example.com': 'Enter a web address such as https://shop.example.com.',
  'must be an email address, such as ada@example.com': 'Enter an email address such as ada@example.com.',
  'must be a time of RFC 3339, such as 2026-11-21T10:00:00Z': 'Enter a date and a time.',
  'must be a UUID': 'Enter a full ID.',
  'is not written as it must be': 'It has a character that is not accepted here, or is too short or too long.',
  'must not be empty': 'It must not be empty.',
  'has 1 character; at least 6 are needed': 'Enter at least 6 characters.',
  'has 201 characters; at most 200 are allowed': 'Enter at most 200 characters.',
  'has 1 item; at least 2 are needed': 'Choose at least 2.',
  'has 51 items; at most 50 are allowed': 'Choose at most 50.',
  'must be at least 1': 'It must be at least 1.',
  'must be at most 999999999999': 'It must be at most 999999999999.',
  'must be one of: NGN, USD': 'It must be one of: NGN, USD.',
  'must be a string': 'It is not in the right format.',
  'must be a whole number or null': 'It is not in the right format.',
  'must begin with http:// or https://': 'Must begin with http:// or https://.',
  'is required': 'Is required.',
};

for (const [message, sentence] of Object.entries(sentences)) {
  test(`the message "${message}" is shown as "${sentence}"`, (t) => {
    t.is(problemSentence(message), sentence);
  });
}

test('a message that begins with the name of its field keeps the name', (t) => {
  t.is(namedProblem('code has 3 characters; at least 6 are needed', 'code'), 'Code: enter at least 6 characters.');
  t.is(namedProblem('url must begin with https://', 'url'), 'Url must begin with https://.');
  t.is(namedProblem('The payment is over', null), 'The payment is over.');
});
