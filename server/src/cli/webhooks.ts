import { readFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import type { WriteContext } from '../context.ts';
import { AppError, StartError } from '../kit/errors.ts';
import { printable } from '../kit/terminal.ts';
import type { Capture, CaptureCheck } from '../webhooks/log/captured-webhook.service.ts';
import { example, parseId } from './arguments.ts';
import { parseTime } from './moment.ts';
import type { Actions } from './perform.ts';
import type { Report } from './report.ts';

const line = 'tillhook webhooks verify 01997c3e-6f1d-7cc0-8e0b-2f5d9a1b4c7e --headers headers.txt --body body.json';

export function addWebhookCommands(program: Command, { inTransaction }: Actions): void {
  const webhooks = program
    .command('webhooks')
    .description('webhooks as receivers got them')
    .addHelpText('after', example(line));
  webhooks
    .command('verify')
    .description(
      'say whether a captured webhook verifies with the stored secret of its endpoint, and if not, why; never shows ' +
        'the secret. Needs MASTER_KEYS',
    )
    .argument('<endpoint>', 'the id of the webhook endpoint', parseId)
    .addOption(
      new Option('--headers <file>', 'the headers of the request: lines of Name: value, or JSON').makeOptionMandatory(),
    )
    .addOption(new Option('--body <file>', 'the body, byte for byte as it was received').makeOptionMandatory())
    .addOption(new Option('--at <time>', 'when it was received').argParser(parseTime).default(undefined, 'now'))
    .addHelpText('after', example(line))
    .action(inTransaction(verify, { seals: true }));
}

const services = async () => ({
  ...(await import('../config/config.ts')),
  ...(await import('../webhooks/log/captured-webhook.service.ts')),
});

interface VerifyOptions {
  which: string;
  headers: string;
  body: string;
  at?: string;
}

async function verify(context: WriteContext, { which, headers, body, at }: VerifyOptions): Promise<Report> {
  const capture = {
    ...(await readCapture({ headers, body })),
    at: at === undefined ? context.clock.now() : new Date(at),
  };
  const check = await checked(context, which, capture);
  const { endpoint, otherEndpoint, ...findings } = check;
  const { id, url, merchantId, mode } = endpoint;
  const record = {
    verified: check.cause === null,
    endpoint: { id, url, merchantId, mode },
    ...findings,
    otherEndpoint: otherEndpoint && { id: otherEndpoint.id, url: otherEndpoint.url, mode: otherEndpoint.mode },
  };
  return { record, answer: [headline(check), ...reasons(check, capture)].join('\n'), failed: check.cause !== null };
}

async function checked(context: WriteContext, id: string, capture: Capture): Promise<CaptureCheck> {
  const { ConfigError, checkCapture } = await services();
  try {
    return await checkCapture(context, id, capture);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new ConfigError('MASTER_KEYS: none of them decrypts the secret of this endpoint', { cause: error });
  }
}

function headline({ cause, endpoint, signedBy }: CaptureCheck): string {
  return cause === null
    ? `It verifies: webhook-signature is made with the ${signedBy.standard} secret of ${endpoint.url}.`
    : `It does not verify with the secrets of ${endpoint.url}: ${cause}.`;
}

function reasons(check: CaptureCheck, capture: Capture): string[] {
  switch (check.cause) {
    case 'missing_headers':
      return [`These headers are missing: ${check.missingHeaders.join(', ')}.`, ...bodyProof(check)];
    case 'empty_body':
      return ['The body is empty. A framework may have read it before: capture the bytes as they arrive.'];
    case 'timestamp_out_of_tolerance':
      return [timeReason(check, capture)];
    case 'wrong_signature':
      return [...signatureReasons(check, capture), ...bodyProof(check)];
    default:
      return [];
  }
}

function timeReason({ signedBy, signedAt }: CaptureCheck, { at }: Capture): string {
  if (signedAt === null) return 'webhook-timestamp is no number of seconds.';
  const signed = new Date(signedAt * 1000).toISOString();
  return (
    `The signature is right (${signedBy.standard} secret). It was signed at ${signed}, more than 300 seconds away from ` +
    `${at.toISOString()}: give the time when it was received as --at, or look at the clock of the receiver.`
  );
}

function signatureReasons({ otherEndpoint, comparison, endpoint }: CaptureCheck, { headers }: Capture): string[] {
  const sentTo = headers.get('x-service-webhook-id');
  const found: string[] = [];
  if (otherEndpoint)
    found.push(`It is signed with the secret of another endpoint: ${otherEndpoint.id}, ${otherEndpoint.url}.`);
  if (sentTo !== undefined && sentTo !== endpoint.id) {
    found.push(`X-Service-Webhook-Id names another endpoint: ${printable(sentTo)}.`);
  }
  if (otherEndpoint) return found;
  if (!comparison)
    return [...found, 'The service has no event of this webhook-id: it was purged, or it comes from elsewhere.'];
  const { isSame, isSameJson, firstDifference, sentBytes, capturedBytes } = comparison;
  if (isSame) {
    return [
      ...found,
      'The body is exactly what was sent: a header was changed, or the secret has been replaced since.',
    ];
  }
  return [
    ...found,
    `The body differs from what was sent, first at byte ${firstDifference}: ${sentBytes} bytes were sent, and ` +
      `${capturedBytes} were captured.`,
    isSameJson
      ? 'It is the same JSON written in another way, so something parsed it: verify the raw bytes.'
      : 'It is not the same content.',
  ];
}

/** `X-Service-Signature` covers only the body, and not the timestamp. */
function bodyProof({ signedBy }: CaptureCheck): string[] {
  return signedBy.service
    ? [`X-Service-Signature is made with the ${signedBy.service} secret, so the body is right.`]
    : [];
}

/**
 * Reads a captured webhook in the formats of common tools. The developer's command `verify` has separate code for the
 * same formats, and a test reads each format with both commands.
 */
export async function readCapture(files: { headers: string; body: string }): Promise<Omit<Capture, 'at'>> {
  const headers = headersIn(textOf(await read(files.headers)));
  if (headers.size > 0) return { headers, body: await read(files.body) };
  throw new StartError(
    `${files.headers} has no headers. Write a line "Name: value" for each, keep the file of curl -D, or write a JSON ` +
      'object of names and values.',
  );
}

async function read(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new StartError(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

/** PowerShell writes UTF-16 with a byte order mark, and some editors write a byte order mark before UTF-8. */
function textOf(file: Buffer): string {
  const isUtf16 = file[0] === 0xff && file[1] === 0xfe;
  return new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8').decode(file);
}

function headersIn(text: string): Map<string, string> {
  const entries = text.trimStart().startsWith('{') ? entriesOfJson(text) : text.split(/\r\n?|\n/).flatMap(entryOfLine);
  return new Map(entries.map(([name, value]) => [name.toLowerCase(), value]));
}

function entriesOfJson(text: string): [name: string, value: string][] {
  try {
    return Object.entries(JSON.parse(text)).map(([name, value]) => [name, [value].flat().join(', ')]);
  } catch {
    return [];
  }
}

function entryOfLine(line: string): [name: string, value: string][] {
  const [, name, value] = /^(?:[<>] )?\s*["']?([!#$%&'*+.^`|~\w-]+?)["']?\s*:\s*(.*?)\s*$/.exec(line) ?? [];
  return name && value !== undefined ? [[name, value.replace(/^(["'])(.*)\1,?$/, '$2')]] : [];
}
