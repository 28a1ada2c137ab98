import { createHmac } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sign } from '@tillhook/sdk/webhooks';
import test, { type ExecutionContext } from 'ava';
import { runDeveloper } from '../support/server/developer.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const otherSecret = 'whsec_plJ3nmyCDGBKInavdOK15jsl4tdJnZcl';
const webhookId = '019aa3c4-9d1e-7c52-8f3a-1b2c3d4e5f60';
const event = {
  event: 'checkout.success',
  data: {
    reference: 'order-1042',
    amount: 500_000,
    currency: 'NGN',
    status: 'completed',
    customerEmail: 'zoë@example.com',
  },
  timestamp: '2026-11-21T10:15:30.000Z',
  webhookId,
};
const body = JSON.stringify(event);

type Headers = Record<string, string>;

interface Given {
  headers: Headers | string | Buffer;
  body?: string | Buffer;
  secrets?: string[];
  args?: string[];
}

async function verify(t: ExecutionContext, { headers, body: captured = body, secrets = [secret], args = [] }: Given) {
  const folder = await mkdtemp(join(tmpdir(), 'tillhook-verify-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const files = { headers: join(folder, 'headers'), body: join(folder, 'body') };
  await writeFile(files.headers, typeof headers === 'string' || Buffer.isBuffer(headers) ? headers : linesOf(headers));
  await writeFile(files.body, captured);
  const given = secrets.flatMap((one) => ['--secret', one]);
  return runDeveloper({}, 'verify', ...given, '--headers', files.headers, '--body', files.body, ...args);
}

const linesOf = (headers: Headers) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('');

async function signed(ageSeconds = 0): Promise<Headers> {
  const timestamp = Math.floor(Date.now() / 1000) - ageSeconds;
  return { ...(await sign(body, secret, { id: 'event-1', timestamp })), 'X-Service-Webhook-Id': webhookId };
}

const without = (headers: Headers, ...names: string[]): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));

test('verify reports webhook-signature and X-Service-Signature of an unchanged webhook as valid, and names the matching secret', async (t) => {
  const end = await verify(t, { headers: await signed(), secrets: [otherSecret, secret] });

  t.is(end.code, 0, end.stderr);
  t.is(
    end.stdout,
    '✓ It verifies by webhook-signature and X-Service-Signature: checkout.success\n  with secret 2 of 2\n',
  );
});

test('verify reads headers as lines, output of curl -v, JSON or UTF-16', async (t) => {
  const headers = await signed();
  const lines = linesOf(headers);
  const forms = {
    'curl -D': `POST /webhooks HTTP/1.1\r\nHost: localhost\r\n${lines.replaceAll('\n', '\r\n')}\r\n`,
    'curl -v': lines.replaceAll(/^/gm, '> '),
    json: JSON.stringify(headers),
    'json of a framework': JSON.stringify(
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value]])),
    ),
    'UTF-16': Buffer.from(`\ufeff${lines}`, 'utf16le'),
  };
  for (const [form, text] of Object.entries(forms)) {
    const end = await verify(t, { headers: text });
    t.is(end.code, 0, `${form}\n${end.stdout}${end.stderr}`);
  }
  t.is(Object.keys(forms).length, 5);
});

const { data, timestamp } = event;
const sortedData = Object.fromEntries(Object.entries(data).sort(([one], [other]) => (one < other ? -1 : 1)));

const changedBodies: Record<string, { body: string | Buffer; says: RegExp }> = {
  'a line break at its end': { body: `${body}\n`, says: /has a line break at the end/ },
  'a byte order mark': { body: `\ufeff${body}`, says: /byte order mark/ },
  'UTF-16': { body: Buffer.from(`\ufeff${body}`, 'utf16le'), says: /UTF-16/ },
  'surrounding spaces': { body: ` ${body} `, says: /spaces or line breaks before or after/ },
  'indented JSON': { body: JSON.stringify(event, null, 2), says: /parsed and written again, with other spaces/ },
  'escaped letters': {
    body: body.replace('ë', '\\u00eb'),
    says: /parsed and written again, with other spaces or other escapes/,
  },
  'its fields in another order': {
    body: JSON.stringify({ data: sortedData, event: event.event, timestamp, webhookId }),
    says: /in another order than \{event, data, timestamp, webhookId\}/,
  },
  'JSON inside a string': { body: JSON.stringify(body), says: /JSON inside a JSON string/ },
  'a wrong encoding': { body: Buffer.from(Buffer.from(body).toString('latin1')), says: /read as Latin-1/ },
  'no content': { body: '', says: /The body is empty/ },
};

for (const [change, { body: changed, says }] of Object.entries(changedBodies)) {
  test(`verify finds that the body has ${change}`, async (t) => {
    const end = await verify(t, { headers: await signed(), body: changed });

    t.is(end.code, 1);
    t.regex(end.stdout, says);
    t.regex(end.stdout, /^✗ It does not verify\. .+\n {2}.+\n$/);
  });
}

test('verify finds that the line breaks of the body became CRLF', async (t) => {
  const text = JSON.stringify(event, null, 2);
  const headers = await sign(text, secret);

  const end = await verify(t, { headers, body: text.replaceAll('\n', '\r\n') });

  t.regex(end.stdout, /from LF to CRLF/);
});

test('verify prints the time of a webhook that is too old or in the future, and --tolerance accepts an old webhook', async (t) => {
  const old = await signed(366 * 86_400);
  const young = await verify(t, { headers: await signed(-7300) });
  const refused = await verify(t, { headers: old });
  const accepted = await verify(t, { headers: old, args: ['--tolerance', '400d'] });

  t.regex(young.stdout, /2 hours in the future/);
  t.regex(
    refused.stdout,
    /The signature is right, but it is 366 days old, at 20.*and 5 minutes are allowed\.\n.*--tolerance 367d/,
  );
  t.deepEqual([young.code, refused.code, accepted.code], [1, 1, 0]);
});

test('verify names missing headers, and accepts X-Service-Signature alone only with --without-timestamp', async (t) => {
  const headers = await signed();
  const alone = without(headers, 'webhook-id', 'webhook-timestamp', 'webhook-signature');

  const refused = await verify(t, { headers: alone });
  const accepted = await verify(t, { headers: alone, args: ['--without-timestamp'] });
  const withoutId = await verify(t, { headers: without(headers, 'webhook-id') });
  const unsigned = await verify(t, { headers: without(alone, 'X-Service-Signature') });

  t.regex(
    refused.stdout,
    /missing: webhook-id, webhook-timestamp, webhook-signature\.\n {2}X-Service-Signature is right/,
  );
  t.regex(
    accepted.stdout,
    /^✓ It verifies by X-Service-Signature: checkout\.success\n {2}webhook-signature is missing/,
  );
  t.regex(withoutId.stdout, /These headers are missing: webhook-id\./);
  t.regex(unsigned.stdout, /There is no signature/);
  t.deepEqual([refused.code, accepted.code, withoutId.code, unsigned.code], [1, 0, 1, 1]);
});

test('for each kind of signature, verify reports that the wrong part of the secret was the key, or that the wrong text was signed', async (t) => {
  const seconds = String(Math.floor(Date.now() / 1000));
  const decoded = Buffer.from(secret.slice(6), 'base64');
  const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text);
  const times = { 'webhook-id': 'event-1', 'webhook-timestamp': seconds };
  const standard = (key: string | Buffer, text: string) => `v1,${hmac(key, text).digest('base64')}`;
  const message = `event-1.${seconds}.${body}`;

  const wholeKey = await verify(t, { headers: { ...times, 'webhook-signature': standard(secret, message) } });
  const bodyAlone = await verify(t, { headers: { ...times, 'webhook-signature': standard(decoded, body) } });
  const decodedKey = await verify(t, {
    headers: { ...times, 'X-Service-Signature': hmac(decoded, body).digest('hex') },
  });

  t.regex(
    wholeKey.stdout,
    /key of webhook-signature is the base64 after whsec_, decoded, and the whole secret was used/,
  );
  t.regex(bodyAlone.stdout, /signs id\.timestamp\.body, and the body alone was signed/);
  t.regex(decodedKey.stdout, /key of X-Service-Signature is the whole secret as text, and the decoded bytes were used/);
});

test('verify distinguishes a masked secret, and headers and body of different webhooks, from a wrong secret or a changed value', async (t) => {
  const headers = await signed();
  const other = await verify(t, { headers, secrets: [otherSecret], args: ['--json'] });
  const mixed = await verify(t, { headers, body: body.replace(webhookId, 'another').replace('500000', '5') });
  const masked = await verify(t, { headers, secrets: ['whsec_…LaSw'] });
  const noHeaders = await verify(t, { headers: 'nothing here' });

  t.like(JSON.parse(other.stdout), { verified: false });
  t.regex(other.stdout, /another secret, or a value in the body was changed/);
  t.regex(mixed.stdout, /of two webhooks: X-Service-Webhook-Id is 019aa3c4-\S+, and the body has another/);
  t.regex(masked.stderr, /masked\.\nCopy the secret as a whole/);
  t.regex(noHeaders.stderr, /has no headers\.\nWrite a line/);
  t.deepEqual([other.code, mixed.code, masked.code, noHeaders.code], [1, 1, 2, 2]);
});
