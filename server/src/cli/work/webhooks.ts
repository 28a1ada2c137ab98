import { ConfigError } from '../../config/config.ts';
import type { WriteContext } from '../../context.ts';
import { AppError } from '../../kit/errors.ts';
import { printable } from '../../kit/terminal.ts';
import { type Capture, type CaptureCheck, checkCapture } from '../../webhooks/log/captured-webhook.service.ts';
import type { Report } from '../report.ts';
import { readCapture } from './capture.ts';

interface VerifyOptions {
  which: string;
  headers: string;
  body: string;
  at?: string;
}

export async function verify(context: WriteContext, { which, headers, body, at }: VerifyOptions): Promise<Report> {
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

/** `X-Service-Signature` covers the body alone. */
function bodyProof({ signedBy }: CaptureCheck): string[] {
  return signedBy.service
    ? [`X-Service-Signature is made with the ${signedBy.service} secret, so the body is right.`]
    : [];
}
