import { accentOf, tokenColours } from '@tillhook/server/look/accent.ts';
import { type Block, type MailDraft, renderMail } from '@tillhook/server/src/platform/mail/layout.ts';
import test from 'ava';
import fc from 'fast-check';

const receipt: MailDraft = {
  subject: 'Your receipt from Nour',
  preheader: 'You paid $36.50',
  language: 'en',
  direction: 'ltr',
  brand: { name: 'Nour', logoUrl: 'https://pay.example/logos/1.png', colour: '#7a1fa2' },
  blocks: [
    { kind: 'heading', text: 'Thank you' },
    { kind: 'paragraph', text: 'Nour received your payment.' },
    {
      kind: 'rows',
      rows: [
        { label: 'Coffee', value: '$30.00' },
        { label: 'Total', value: '$36.50', isTotal: true },
      ],
    },
    { kind: 'button', text: 'View the receipt', url: 'https://pay.example/receipt?a=1&b=2' },
    { kind: 'smallPrint', text: 'Your statement shows NOUR TRADING.' },
  ],
  footer: 'Sent by Tillhook.',
};

const arabic: MailDraft = { ...receipt, language: 'ar', direction: 'rtl' };

const hostile = 'A<script>alert(1)</script><img src=x>"\' onload="x" & &lt;b&gt; --> ]]> </mj-text> {{x}}';

/** A receipt that has the text everywhere where a user could have typed it. */
const receiptWith = (text: string): MailDraft => ({
  ...receipt,
  subject: text,
  preheader: text,
  brand: { name: text, logoUrl: 'https://pay.example/logos/1.png', colour: '#7a1fa2' },
  blocks: [
    { kind: 'heading', text },
    { kind: 'paragraph', text },
    { kind: 'rows', rows: [{ label: text, value: text }] },
    { kind: 'button', text, url: 'https://pay.example/receipt' },
    { kind: 'smallPrint', text },
  ],
  footer: text,
});

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00a0' };

function decode(html: string): string {
  return html.replace(/&(?:#(\d+)|(\w+));/g, (_, code?: string, name?: string) =>
    code ? String.fromCodePoint(Number(code)) : (entities[name ?? ''] ?? '?'),
  );
}

const withoutComments = (html: string) => html.replace(/<!--.*?-->/gs, '');

const tagsOf = (html: string) => withoutComments(html).match(/<[^>]*>/g) ?? [];

/** What a reader sees, a line for each element that has text. The first line is the preheader. */
function visibleLines(html: string): string[] {
  const [, body = ''] = withoutComments(html).split(/<body[^>]*>/);
  return body
    .split(/<(?!\/?bdi)[^>]*>/)
    .map((part) => decode(part.replace(/<\/?bdi>/g, '')).trim())
    .filter((line) => line !== '');
}

const attributeOf = (html: string, name: string) => decode(new RegExp(` ${name}="([^"]*)"`).exec(html)?.[1] ?? '');

test('the plain text has every block of the mail, in the same order', (t) => {
  t.is(
    renderMail(receipt).text,
    `Nour

Thank you

Nour received your payment.

Coffee: $30.00
Total: $36.50

View the receipt:
https://pay.example/receipt?a=1&b=2

Your statement shows NOUR TRADING.

Sent by Tillhook.
`,
  );
});

test('the HTML has every text of the mail, in the same order, after the preheader', (t) => {
  t.deepEqual(visibleLines(renderMail(receipt).html), [
    'You paid $36.50',
    'Nour',
    'Thank you',
    'Nour received your payment.',
    'Coffee',
    '$30.00',
    'Total',
    '$36.50',
    'View the receipt',
    'Your statement shows NOUR TRADING.',
    'Sent by Tillhook.',
  ]);
});

test('a text that a user typed adds no element and no attribute, and is shown as it was typed', (t) => {
  const { html } = renderMail(receiptWith(hostile));

  const withoutTitle = (tags: string[]) => tags.map((tag) => tag.replace(/ aria-label="[^"]*"/, ''));
  t.deepEqual(withoutTitle(tagsOf(html)), withoutTitle(tagsOf(renderMail(receiptWith('Nour')).html)));
  t.deepEqual([...new Set(visibleLines(html))], [hostile]);
  t.is(attributeOf(html, 'aria-label'), hostile);
});

test('any text can be rendered, and both parts have it', (t) => {
  const kinds = ['heading', 'paragraph', 'smallPrint'] as const;
  const text = fc.string({ unit: 'binary', maxLength: 30 });
  fc.assert(
    fc.property(fc.constantFrom(...kinds), text, (kind, typed) => {
      const mail = renderMail({ ...receiptWith('Nour'), blocks: [{ kind, text: `a${typed}b` }], footer: 'end' });
      const [, shown] = mail.text.split('\n\n');
      t.regex(shown ?? '', /^a.*b$/u);
      t.true(visibleLines(mail.html).includes(shown ?? ''));
    }),
  );
});

test('line breaks and control characters in a subject become spaces', (t) => {
  const subject = 'Receipt from A\r\nBcc: x@evil.example\0\u0085\u2028\u2029\u001b[2J\ufffe\t B\ud800\n';

  t.is(renderMail({ ...receipt, subject }).subject, 'Receipt from A Bcc: x@evil.example [2J B\ufffd');
});

test('a line break in a name starts no new line of the plain text', (t) => {
  const { text } = renderMail(receiptWith('A\r\n\r\nTotal: $0.00'));

  t.false(/^Total/m.test(text));
  t.is(text.match(/^A Total: \$0\.00$/gm)?.length, 5);
});

test('characters that reverse the rest of a line are removed, and the marks of Arabic amounts stay', (t) => {
  const mail = renderMail(receiptWith('\u202eA\u202d \u200f36.50\u00a0US$ \u2066B\u2069'));

  for (const part of [mail.subject, mail.text, mail.html]) t.false(/[\u202a-\u202e]/.test(part));
  t.is(mail.subject, 'A \u200f36.50\u00a0US$ \u2066B\u2069');
  t.deepEqual([...new Set(visibleLines(mail.html))], [mail.subject]);
});

test('an amount is not broken into two lines', (t) => {
  const rows = [
    { label: 'Total', value: '1.234,50\u00a0\u20ac', isAmount: true },
    { label: 'Reference', value: 'order-1042' },
  ];
  const { html, text } = renderMail({ ...receipt, blocks: [{ kind: 'rows', rows }] });

  t.true(text.includes('Total: 1.234,50\u00a0\u20ac\n'));
  t.regex(html, /white-space:nowrap"><bdi>1\.234,50/);
  t.notRegex(html, /nowrap[^>]*><bdi>order/);
});

test('a title with a backslash or an invisible character is not changed by mrml', (t) => {
  const subject = 'C:\\temp \u200f \u200c 1';

  t.is(attributeOf(renderMail({ ...receipt, subject }).html, 'aria-label'), subject);
});

test('the URL of a button is complete in both parts', (t) => {
  const url = 'https://pay.example/receipt?a=1&b=\\x&c=%22';
  const mail = renderMail({ ...receipt, blocks: [{ kind: 'button', text: 'View', url }] });

  t.is(attributeOf(mail.html, 'href'), url);
  t.true(mail.text.includes(`View:\n${url}\n`));
});

test('a button or a logo with a URL that a browser would execute is refused', (t) => {
  const button: Block = { kind: 'button', text: 'View', url: 'javascript:alert(1)' };
  const brand = { name: 'Nour', logoUrl: 'data:image/svg+xml,<svg/>', colour: null };

  t.throws(() => renderMail({ ...receipt, blocks: [button] }), { message: /javascript:/ });
  t.throws(() => renderMail({ ...receipt, brand }), { message: /data:/ });
});

test('a mail loads nothing but the logo', (t) => {
  const { html } = renderMail(receipt);

  const urls = decode(html).match(/\b[a-z]+:\/\/[^\s"'<>)]+/g) ?? [];
  t.deepEqual(
    [...new Set(urls)].filter((url) => !url.startsWith('http://www.w3.org/')),
    ['https://pay.example/logos/1.png', 'https://pay.example/receipt?a=1&b=2'],
  );
  t.false(/<(script|link|iframe|object|form)|@import|url\(/i.test(html));
});

test('the HTML is made of tables, and Outlook gets extra tables', (t) => {
  const { html } = renderMail(receipt);

  t.regex(html, /<!--\[if mso \| IE\]><table[^>]* width="560"/);
  t.false(/display:\s*(flex|grid)|var\(--/.test(html));
});

test('a mail has a light and a dark theme, with the colours of tokens.css', (t) => {
  const { html } = renderMail(receipt);
  const [, dark = '', body = ''] = /@media \(prefers-color-scheme:dark\)\{(.*?)\n\}(.*)/s.exec(html) ?? [];

  t.true(html.includes('<meta name="color-scheme" content="light dark" />'));
  for (const name of ['page', 'panel', 'text', 'muted', 'line'] as const) {
    t.true(body.includes(tokenColours.light[name]), name);
    t.true(dark.includes(`${tokenColours.dark[name]}!important`), name);
  }
  t.regex(html, new RegExp(`<img [^>]*background:${tokenColours.light.panel}`));
});

test('the button has the merchant’s colour and a readable text, and an edge in the dark theme', (t) => {
  for (const colour of ['#7a1fa2', '#ffee00', '#101010']) {
    const { html } = renderMail({ ...receipt, brand: { name: 'Nour', logoUrl: null, colour } });
    const { button, onButton, edge } = accentOf(colour, 'light');

    t.regex(html, new RegExp(`<a href="[^"]*"[^>]* style="[^"]*background:${button};color:${onButton};`));
    t.true(html.includes(`border:1px solid ${edge};`));
    t.true(html.includes(`.button td{border-color:${accentOf(colour, 'dark').edge}!important}`));
  }
});

test('without a brand, or with a colour that is no colour, a mail has the look of the service', (t) => {
  const none = renderMail({ ...receipt, brand: null });
  const wrong = renderMail({ ...receipt, brand: { name: 'Nour', logoUrl: null, colour: 'red;}</style>' } });

  t.true(none.text.startsWith('Tillhook\n'));
  t.false(none.html.includes('<img'));
  for (const { html } of [none, wrong]) t.true(html.includes(`background:${tokenColours.light.accent};`));
});

test('an Arabic mail reads from right to left', (t) => {
  const { html } = renderMail(arabic);

  t.regex(html, /^<!doctype html><html lang="ar" dir="rtl"/);
  t.false(/direction:ltr|dir="ltr"|text-align:left/.test(withoutColumns(html)));
  t.regex(
    html,
    /<tr dir="rtl"><td[^>]* align="right"[^>]*><bdi>Coffee<\/bdi><\/td><td[^>]* align="left"[^>]*><bdi>\$30\.00/,
  );
  t.false(/direction:rtl|dir="rtl"/.test(renderMail(receipt).html));
});

/** `mrml` aligns columns to the left, and each text in a column states its own alignment. */
const withoutColumns = (html: string) =>
  html.replace(/(class="mj-outlook-group-fix[^"]*" style="[^"]*)text-align:left;/g, '$1');

test('a receipt with as many and as long items as a checkout may have is smaller than 60 KB', (t) => {
  const rows = Array.from({ length: 50 }, (_, index) => ({ label: '茶'.repeat(200), value: `${index} × ¥1,000` }));
  const { html, text } = renderMail({ ...receipt, blocks: [...receipt.blocks, { kind: 'rows', rows }] });

  t.true(Buffer.byteLength(html) < 60_000, String(Buffer.byteLength(html)));
  t.true(Buffer.byteLength(renderMail(receipt).html) < 12_000);
  t.is(text.match(/茶/g)?.length, 10_000);
});
