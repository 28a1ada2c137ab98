import { sign } from '@tillhook/sdk/webhooks';
import { UserError } from './command.ts';

export interface Handover {
  secret: string;
  id?: string;
  url?: string;
}

/** The sent text contains no usable secret. The message says why. */
export class HandoverError extends UserError {
  override name = 'HandoverError';
}

/** Reads the whole answer to a registration, or just `{"secret": "whsec_…"}`. */
export async function readHandover(body: Buffer): Promise<Handover> {
  const { secret, id, url, message } = parse(body);
  if (typeof secret !== 'string') {
    throw new HandoverError(`The body contains no secret${typeof message === 'string' ? `: ${message}` : ''}.`);
  }
  await checkSecret(secret);
  return { secret, ...(typeof id === 'string' && { id }), ...(typeof url === 'string' && { url }) };
}

/** Throws if the SDK cannot verify with this secret, for example because it is masked. */
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
    // It is refused below, as JSON that is not an object.
  }
  throw new HandoverError('Send JSON: the answer to a registration, or {"secret": "whsec_…"}.');
}
