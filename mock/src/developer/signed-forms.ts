/**
 * The forms in which a body, a key and a message may have been signed, the right one first. `verify` tries them all, to
 * say which mistake was made.
 */
import { createHmac } from 'node:crypto';
import { textOf } from './capture.ts';

export interface Form<Value> {
  value: Value;
  /** What was done wrong; null for the right form. */
  mistake: string | null;
}

const whole = '{event, data, timestamp, webhookId}';

/** The bytes that may have been signed, if the captured ones were changed on the way. */
export function bodyForms(body: Buffer): Form<Buffer>[] {
  const forms: Form<Buffer>[] = [{ value: body, mistake: null }];
  const add = (value: string | Buffer, mistake: string) => forms.push({ value: Buffer.from(value), mistake });
  const text = textOf(body);
  const hasMark = (body[0] === 0xef && body[1] === 0xbb) || (body[0] === 0xff && body[1] === 0xfe);
  if (hasMark) add(text, 'the body has a byte order mark (BOM) or is UTF-16, which an editor or PowerShell wrote');
  if (/\r?\n$/.test(text))
    add(text.replace(/(\r?\n)+$/, ''), 'the body has a line break at the end, which an editor or `echo` added');
  if (text.includes('\r'))
    add(text.replaceAll('\r\n', '\n'), 'the line breaks of the body were changed from LF to CRLF');
  add(text.trim(), 'the body has spaces or line breaks before or after it');
  add(Buffer.from(text, 'latin1'), 'the body was read as Latin-1 and written as UTF-8');
  return [...forms, ...reserialised(text)];
}

/** The body as the service serialises it, if it is JSON that another program has parsed and written again. */
function reserialised(text: string): Form<Buffer>[] {
  const parsed = parse(text);
  if (typeof parsed === 'string')
    return [{ value: Buffer.from(parsed), mistake: 'the body is JSON inside a JSON string' }];
  if (parsed === null || typeof parsed !== 'object') return [];
  const written = (value: unknown, mistake: string) => ({ value: Buffer.from(JSON.stringify(value)), mistake });
  const { event, data, timestamp, webhookId } = parsed as Record<string, unknown>;
  return [
    written(parsed, 'the body was parsed and written again, with other spaces or other escapes'),
    ...ordersOf(data).map((ordered) =>
      written(
        { event, data: ordered, timestamp, webhookId },
        `the body was parsed and written again, in another order than ${whole}`,
      ),
    ),
  ];
}

/** More fields have too many orders to try. */
const mostFields = 7;

function ordersOf(data: unknown): object[] {
  if (data === null || typeof data !== 'object' || Object.keys(data).length > mostFields) return [];
  return permutations(Object.entries(data)).map((entries) => Object.fromEntries(entries));
}

function permutations<Value>(values: Value[]): Value[][] {
  if (values.length < 2) return [values];
  return values.flatMap((first, at) => permutations(values.toSpliced(at, 1)).map((others) => [first, ...others]));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.trim());
  } catch {
    return null;
  }
}

/** The two keys of a secret. Each family of signatures has its own, and mixing them up is the most common mistake. */
export function keyForms(secret: string, family: 'service' | 'standard'): Form<string | Buffer>[] {
  const text = secret.replace(/^whsec_/, '');
  const [wholeKey, decodedKey] = [secret, Buffer.from(text, 'base64')];
  return family === 'service'
    ? [
        { value: wholeKey, mistake: null },
        {
          value: decodedKey,
          mistake: 'the key of X-Service-Signature is the whole secret as text, and the decoded bytes were used',
        },
        { value: text, mistake: 'the key of X-Service-Signature is the whole secret, and its whsec_ was left out' },
      ]
    : [
        { value: decodedKey, mistake: null },
        {
          value: wholeKey,
          mistake: 'the key of webhook-signature is the base64 after whsec_, decoded, and the whole secret was used',
        },
        {
          value: text,
          mistake: 'the key of webhook-signature is the base64 after whsec_, decoded, and it was used as text',
        },
      ];
}

export function hmac(key: string | Buffer, message: Buffer): Buffer {
  return createHmac('sha256', key).update(message).digest();
}
