import { hashPassword, isPassword } from '@tillhook/server/src/auth/password.ts';
import test from 'ava';
import { password } from '../support/users.ts';

test('a password is accepted by its own hash, however its accents are written, and another is not', async (t) => {
  const hash = await hashPassword('Zoë’s café', { N: 16, r: 8, p: 1 });

  t.true(await isPassword('Zoe\u0308’s cafe\u0301', hash));
  t.false(await isPassword('Zoe’s cafe', hash));
  t.false(await isPassword('Zoë’s café', undefined));
});

test('a hash names the costs that OWASP asks for, and two of one password differ', async (t) => {
  const [one, other] = await Promise.all([hashPassword(password), hashPassword(password)]);

  t.regex(one, /^scrypt\$32768\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
  t.not(one, other);
  t.true(await isPassword(password, one));
});

test('a hash that was stored before hashes named their costs is still accepted', async (t) => {
  const stored = 'scrypt$AAECAwQFBgcICQoLDA0ODw$ZwXboEbK-6uo3pibyojgA4zgNULQwM2WqPlWpy-G7mc';

  t.true(await isPassword(password, stored));
  t.false(await isPassword('another password', stored));
});
