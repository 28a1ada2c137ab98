import { asciiEmail, emailProblem, notAnEmail } from '@tillhook/openapi/rules/fields';
import test from 'ava';

const scripts = 'must have ASCII characters only before the @, because few mail servers take others';

const addresses: [email: string, problem: string | null, ascii?: string][] = [
  ['ada@example.com', null, 'ada@example.com'],
  ['Ada.O+shop@Mail.Example.COM', null, 'Ada.O+shop@Mail.Example.COM'],
  ['ada@müller.de', null, 'ada@xn--mller-kva.de'],
  ['ada@MÜLLER.de', null, 'ada@xn--mller-kva.de'],
  ['ada@例子.公司', null, 'ada@xn--fsqu00a.xn--55qx5d'],
  ['ada@شركة.مصر', null, 'ada@xn--ogbpi5d.xn--wgbh1c'],
  ['ada@xn--mller-kva.de', null, 'ada@xn--mller-kva.de'],
  ['müller@example.com', scripts],
  ['用户@例子.公司', scripts],
  ['ada', notAnEmail],
  ['@müller.de', notAnEmail],
  ['ada@', notAnEmail],
  ['ada@mül ler.de', notAnEmail],
  ['ada@mü/ller.de', notAnEmail],
  ['ada@mü@ller.de', notAnEmail],
  ['ada@mü%41.de', notAnEmail],
  ['ada@mü:80', notAnEmail],
  ['mül ler@example.com', notAnEmail],
  ['ada lovelace@example.com', notAnEmail],
  ['ada@example..com', notAnEmail],
  ['ada@-müller.de', notAnEmail],
  [`ada@${'ü'.repeat(63)}.de`, notAnEmail],
  [`${'a'.repeat(300)}@example.com`, notAnEmail],
];

for (const [email, problem, ascii] of addresses) {
  test(`the email ${email.slice(0, 40)} ${problem ?? 'is accepted'}`, (t) => {
    t.is(emailProblem(email), problem);
    if (ascii !== undefined) t.is(asciiEmail(email), ascii);
  });
}
