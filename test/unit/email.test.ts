import { canonicalEmail } from '@tillhook/server/src/kit/email.ts';
import test from 'ava';

const addresses: [typed: string, canonical: string][] = [
  ['ada@ａｃｍｅ.com', 'ada@acme.com'],
  ['ada@acme。com', 'ada@acme.com'],
  ['ada@MÜNCHEN.example', 'ada@münchen.example'],
  ['ada@mu\u0308nchen.example', 'ada@münchen.example'],
  ['ada@xn--mnchen-3ya.example', 'ada@münchen.example'],
  ['Ada@XN--MNCHEN-3YA.example', 'Ada@münchen.example'],
  ['Ada@Acme.com', 'Ada@Acme.com'],
  ['"ada@home"@acme.com', '"ada@home"@acme.com'],
  ['ada@what/ever\u00fc', 'ada@what/ever\u00fc'],
];

for (const [typed, canonical] of addresses) {
  test(`${typed} is ${canonical}`, (t) => t.is(canonicalEmail(typed), canonical));
}
