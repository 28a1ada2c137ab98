/**
 * Finds the reason for an invalid signature by trying the common mistakes with the key, the body and the signed
 * message.
 */

import { createHmac } from 'node:crypto';
import { inWords } from '../terminal/moment.ts';
import { type Capture, textOf } from './capture.ts';

export interface Diagnosis {
  cause: string;
  advice: string;
}

type Family = 'service' | 'standard';

interface Match {
  family: Family;
  /** The index of the matching secret among the given secrets. */
  secret: number;
  mistakes: string[];
}

export const headerOf: Record<Family, string> = {
  service: 'X-Service-Signature',
  standard: 'webhook-signature',
};

/** Returns at most one match for each signature header: the match that assumes the fewest mistakes. */
export function findMatches(capture: Capture, secrets: readonly string[]): Match[] {
  const bodies = bodyForms(capture.body);
  return (['standard', 'service'] as const).flatMap((family) => {
    const signatures = signaturesIn(capture, family);
    const found = secrets.flatMap((secret, index) => {
      const mistakes = mistakesOf({ capture, family, signatures, secret, bodies });
      return mistakes ? [{ family, secret: index, mistakes }] : [];
    });
    return found.sort((one, other) => one.mistakes.length - other.mistakes.length).slice(0, 1);
  });
}

interface Search {
  capture: Capture;
  family: Family;
  signatures: Buffer[];
  secret: string;
  bodies: Form<Buffer>[];
}

function mistakesOf({ capture, family, signatures, secret, bodies }: Search): string[] | null {
  if (signatures.length === 0) return null;
  for (const key of keyForms(secret, family)) {
    for (const body of bodies) {
      for (const message of messageForms(capture, family, body.value)) {
        const expected = hmac(key.value, message.value);
        if (!signatures.some((signature) => signature.equals(expected))) continue;
        return [key, body, message].flatMap(({ mistake }) => mistake ?? []);
      }
    }
  }
  return null;
}

function messageForms({ headers }: Capture, family: Family, body: Buffer): Form<Buffer>[] {
  const [id, timestamp] = [headers.get('webhook-id') ?? '', headers.get('webhook-timestamp') ?? ''];
  const standard = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);
  if (family === 'service')
    return [
      { value: body, mistake: null },
      {
        value: standard,
        mistake: 'X-Service-Signature signs the body alone, and the id and the time were signed with it',
      },
    ];
  const stripped = Buffer.concat([Buffer.from(`${timestamp}.`), body]);
  return [
    { value: standard, mistake: null },
    { value: body, mistake: 'webhook-signature signs id.timestamp.body, and the body alone was signed' },
    { value: stripped, mistake: 'webhook-signature signs id.timestamp.body, and the id was left out' },
  ];
}

function signaturesIn({ headers }: Capture, family: Family): Buffer[] {
  if (family === 'service') {
    const hex = headers.get('x-service-signature') ?? '';
    return /^[0-9a-f]{64}$/i.test(hex) ? [Buffer.from(hex, 'hex')] : [];
  }
  const entries = (headers.get('webhook-signature') ?? '').split(/\s+/);
  return entries.flatMap((entry) => (entry.startsWith('v1,') ? [Buffer.from(entry.slice(3), 'base64')] : []));
}

export function diagnose(capture: Capture, secrets: readonly string[], toleranceMs: number): Diagnosis {
  const { headers, body } = capture;
  if (body.length === 0)
    return {
      cause: 'The body is empty.',
      advice: 'Capture it before anything parses it: with Express, express.raw({ type: "*/*" }).',
    };
  const missing = missingHeaders(headers);
  const matches = findMatches(capture, secrets);
  const [best] = matches;
  const mistakes = [...new Set(matches.flatMap((match) => match.mistakes))];
  if (mistakes.length > 0) return { cause: `${sentence(mistakes)}.`, advice: adviceFor(mistakes) };
  if (!best && headers.get('x-service-signature') === undefined && headers.get('webhook-signature') === undefined)
    return {
      cause: 'There is no signature: X-Service-Signature and webhook-signature are missing.',
      advice: keepHeaders,
    };
  if (missing.length > 0 && (best || headers.get('webhook-signature') === undefined || missing.length < 3))
    return { cause: `These headers are missing: ${missing.join(', ')}.`, advice: best ? alone : keepHeaders };
  if (best?.family === 'standard') return ageOf(headers.get('webhook-timestamp') ?? '', toleranceMs);
  if (best)
    return {
      cause:
        'X-Service-Signature is right, and webhook-signature is not: webhook-id, webhook-timestamp or webhook-signature was changed.',
      advice: 'Capture all headers of one and the same attempt.',
    };
  return mixedUp(capture) ?? unknownCause(secrets.length);
}

const keepHeaders =
  'Capture all headers as they arrive. A proxy may have dropped them: let it pass webhook-* and X-Service-*.';
const alone =
  'X-Service-Signature is right, but it signs no time. Let the proxy pass webhook-*, or accept it with --without-timestamp, as requireTimestamp: false of the SDK does.';

function missingHeaders(headers: Capture['headers']): string[] {
  return ['webhook-id', 'webhook-timestamp', 'webhook-signature'].filter((name) => !headers.has(name));
}

const sentence = (mistakes: string[]) => {
  const text = mistakes.join('; and ');
  return `${text[0]?.toUpperCase()}${text.slice(1)}`;
};

function adviceFor(mistakes: string[]): string {
  return mistakes.some((mistake) => mistake.startsWith('the key') || mistake.includes(' signs '))
    ? 'Sign and verify as /docs/verifying-signatures says, or let the SDK do it: sign and unwrap of @tillhook/sdk/webhooks.'
    : 'Verify the bytes as they arrive, before anything parses or saves them as text.';
}

function ageOf(timestamp: string, toleranceMs: number): Diagnosis {
  const signedAt = Number(timestamp) * 1000;
  const ageMs = Date.now() - signedAt;
  const limit = inWords(toleranceMs);
  if (!Number.isFinite(ageMs)) return { cause: `webhook-timestamp is no time: ${timestamp}.`, advice: keepHeaders };
  const when = Math.abs(signedAt) < 8.64e15 ? `, at ${new Date(signedAt).toISOString()}` : '';
  if (ageMs < 0)
    return {
      cause: `The signature is right, but it was made ${inWords(-ageMs)} in the future${when}.`,
      advice: 'A clock is wrong: compare that of the sender with that of the receiver.',
    };
  return {
    cause: `The signature is right, but it is ${inWords(ageMs)} old${when}, and ${limit} are allowed.`,
    advice: `A receiver must refuse it, because it may be a replay. To check a stored capture, add --tolerance ${Math.ceil(ageMs / 86_400_000)}d.`,
  };
}

function mixedUp({ headers, body }: Capture): Diagnosis | null {
  const { event, webhookId } = fieldsOf(body);
  const pairs = [
    ['X-Service-Webhook-Id', headers.get('x-service-webhook-id'), webhookId],
    ['X-Service-Event', headers.get('x-service-event'), event],
  ] as const;
  const wrong = pairs.find(([, header, field]) => header !== undefined && field !== undefined && header !== field);
  if (!wrong) return null;
  return {
    cause: `Headers and body are of two webhooks: ${wrong[0]} is ${wrong[1]}, and the body has ${wrong[2]}.`,
    advice: 'Capture headers and body of the same request.',
  };
}

function fieldsOf(body: Buffer): { event?: unknown; webhookId?: unknown } {
  try {
    return Object(JSON.parse(String(body)));
  } catch {
    return {};
  }
}

function unknownCause(secrets: number): Diagnosis {
  return {
    cause: `${secrets === 1 ? 'The given secret does not' : 'None of the given secrets does'} sign this body in any form: it is another secret, or a value in the body was changed.`,
    advice:
      'Nobody can tell the two apart. Compare the secret with that of the endpoint, which the dashboard shows, and give several with --secret.',
  };
}

interface Form<Value> {
  value: Value;
  /** The assumed mistake of the sender or of the capture; null when none is assumed. */
  mistake: string | null;
}

const whole = '{event, data, timestamp, webhookId}';

/** Returns the captured body, then variants of the body, each with one common mistake undone. */
function bodyForms(body: Buffer): Form<Buffer>[] {
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

/** Restores the service's JSON text from a body that another program has parsed and serialised again. */
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

/** The maximum number of fields for which all orders are tried. More fields have too many possible orders. */
const maxFields = 7;

function ordersOf(data: unknown): object[] {
  if (data === null || typeof data !== 'object' || Object.keys(data).length > maxFields) return [];
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

/** The two kinds of signature use different keys, and confusing the keys is the most common mistake. */
function keyForms(secret: string, family: 'service' | 'standard'): Form<string | Buffer>[] {
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

function hmac(key: string | Buffer, message: Buffer): Buffer {
  return createHmac('sha256', key).update(message).digest();
}
