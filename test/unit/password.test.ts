import { hashPassword, isPassword } from '@tillhook/server/src/people/sessions/password.ts';
import test from 'ava';

const password = 'correct horse battery staple';

test('a password matches its hash, however its accents are encoded, and another password does not', async (t) => {
  const hash = await hashPassword('Zoë’s café', { N: 16, r: 8, p: 1 });

  t.true(await isPassword('Zoe\u0308’s cafe\u0301', hash));
  t.false(await isPassword('Zoe’s cafe', hash));
  t.false(await isPassword('Zoë’s café', undefined));
});

test('a hash has the costs that OWASP recommends, older hashes are still read, and two hashes of one password differ', async (t) => {
  const [one, other] = await Promise.all([hashPassword(password), hashPassword(password)]);
  const stored = 'scrypt$AAECAwQFBgcICQoLDA0ODw$ZwXboEbK-6uo3pibyojgA4zgNULQwM2WqPlWpy-G7mc';

  t.regex(one, /^scrypt\$[\w-]{22}\$[\w-]{43}$/);
  t.not(one, other);
  t.true(await isPassword(password, one));
  t.true(await isPassword(password, stored));
  t.false(await isPassword('another password', stored));
});

test('a hash with other costs contains these costs', async (t) => {
  const hash = await hashPassword(password, { N: 16, r: 8, p: 1 });

  t.regex(hash, /^scrypt\$16\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
  t.true(await isPassword(password, hash));
  t.false(await isPassword(password, hash.replace('$16$', '$32$')));
});
