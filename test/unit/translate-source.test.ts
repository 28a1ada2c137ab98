// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the sources in these tests have templates.
import { translateSource } from '@tillhook/dashboard/words/translate-source.ts';
import test from 'ava';

/** Translates by a list of English texts with their translations. */
function translated(source: string, words: Record<string, string | Record<string, string>>): string {
  return translateSource('file.tsx', source, ({ text }) => words[text]);
}

function textsOf(source: string): string[] {
  const texts: string[] = [];
  translateSource('file.tsx', source, ({ text }) => {
    texts.push(text);
    return undefined;
  });
  return texts;
}

test('the content of an element is one message, and the translation may put its values and elements in another order', (t) => {
  const source = '<p>Send <b>{amount}</b> to{" "}\n  <Link to="/$mode">{name.trim()}</Link> now.</p>';

  t.deepEqual(textsOf(source), ['Send {amount} to {name} now.']);
  t.is(
    translated(source, { 'Send {amount} to {name} now.': '{name} reçoit {amount} l’instant.' }),
    '<p><Link to="/$mode">{name.trim()}</Link>{" reçoit "}<b>{amount}</b>{" l’instant."}</p>',
  );
});

test('an element with a text is in the message, and its attributes are translated too', (t) => {
  const source = '<p>See <Link label="Docs">the guide</Link>, or <Link to="x">ask</Link>.</p>';

  t.deepEqual(textsOf(source), ['Docs', 'See <Link>the guide</Link>, or <Link2>ask</Link2>.']);
  t.is(
    translated(source, {
      Docs: 'Guides',
      'See <Link>the guide</Link>, or <Link2>ask</Link2>.': '<Link2>Demandez</Link2> ou <Link>lisez "le guide"</Link>',
    }),
    '<p><Link to="x">{"Demandez"}</Link>{" ou "}<Link label={"Guides"}>{"lisez \\"le guide\\""}</Link></p>',
  );
});

test('literals and templates are translated wherever they are, with the values of the program', (t) => {
  const source = "const words = { a: 'Paid', b: [`Refund ${format(amount)} of ${amount}`], c: x ? 'No answer' : y };";

  t.deepEqual(textsOf(source), ['Paid', 'Refund {amount} of {amount2}', 'No answer']);
  t.is(
    translated(source, { Paid: 'Payé', 'Refund {amount} of {amount2}': 'Sur {amount2}, `{amount}`' }),
    'const words = { a: "Payé", b: [`Sur ${amount}, \\`${format(amount)}\\``], c: x ? \'No answer\' : y };',
  );
});

test('a plural is one message, and gets the forms that its language needs', (t) => {
  const source = "plural(count, { one: '1 key', other: `${count} keys` })";

  t.deepEqual(textsOf(source), ['1 key | {count} keys']);
  t.is(
    translated(source, { '1 key | {count} keys': { one: '{count} clé', other: '{count} clés' } }),
    'plural(count, { one: `${count} clé`, other: `${count} clés` })',
  );
});

test('what programs read is no text: keys, statuses, class names, comparisons, events, code and error messages', (t) => {
  const source = `
    import { Paid } from 'Some Module';
    const key: 'Not Paid' = status === 'Paid' ? 'endpoint_failing' : 'checkout.success';
    switch (key) { case 'Paid Twice': break; }
    addEventListener('Key Down', () => { throw new Error('Failed to read the session.'); });
    const look = { color: 'var(--bad)', gridTemplateColumns: '1fr 2fr', 'Content-Type': 'application/json' };
    const program = \`const a = 1;\\nconsole.log(a);\`;
    const page = <Text className="Small Text" size="sm" data={headers['Content-Type']}><code>npm run receiver</code></Text>;
  `;

  t.deepEqual(textsOf(source), []);
  t.is(translated(source, {}), source);
});
