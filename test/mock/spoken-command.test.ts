import { readContract } from '@tillhook/openapi';
import test from 'ava';
import { greeting } from '../../mock/src/greeting.ts';
import { eventCommandAt } from '../../mock/src/spoken-command.ts';

test('the command for events is the program of the installed package, and the npm script in the repository', (t) => {
  t.is(eventCommandAt('file:///shop/node_modules/@tillhook/mock/dist/commands/mock.mjs'), 'npx tillhook-mock event');
  t.is(eventCommandAt('file:///tillhook/mock/src/greeting.ts'), 'npm run mock:event --');
});

test('the greeting in the repository shows the npm script that sends an event', (t) => {
  t.regex(greeting(readContract().model, 'http://127.0.0.1:4010'), / {2}npm run mock:event -- checkout\.success/);
});
