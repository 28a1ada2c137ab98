import { sign } from '@tillhook/sdk/webhooks';
import { UserError } from './command.ts';

export interface Handover {
  secret: string;
  id?: string;
  url?: string;
}

/** What was handed over holds no usable secret; the message says why. */
export class HandoverError extends UserError {
  override name = 'HandoverError';
}

/** Reads the whole answer to a registration, or just `{"secret": "whsec_…"}`. */
export async function readHandover(body: Buffer): Promise<Handover> {
  const { secret, id, url, message } = parse(body);
  if (typeof secret !== 'string') {
    throw new HandoverError(`There is no secret in it${typeof message === 'string' ? `: ${message}` : ''}.`);
  }
  await checkSecret(secret);
  return { secret, ...(typeof id === 'string' && { id }), ...(typeof url === 'string' && { url }) };
}

/** Rejects what the SDK could not verify with, such as the masked secret of a list. */
export async function checkSecret(secret: string): Promise<void> {
  try {
    await sign('', secret);
  } catch (error) {
    throw new HandoverError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function parse(body: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(String(body));
    if (value !== null && typeof value === 'object') return value as Record<string, unknown>;
  } catch {
    // Refused below, like JSON that is no object.
  }
  throw new HandoverError('Send JSON: the answer to a registration, or {"secret": "whsec_…"}.');
}
