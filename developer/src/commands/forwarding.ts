import { createHmac } from 'node:crypto';
import type { Event } from '@tillhook/sdk';
import { sign } from '@tillhook/sdk/webhooks';
import { type EventOrder, localWebhookId } from '../sending/event-sender.ts';
import { ArgumentError, type DeveloperEnvironment } from '../terminal/environment.ts';
import type { Connection } from './connection.ts';

export interface Target {
  url: string;
  secret: string;
}

/** Reads a URL. The scheme and the host may be missing: `localhost:4000/webhooks`, `:4000`, `4000`. */
export function readAddress(text: string): string {
  const typed = /^:?\d+(\/|$)/.test(text) ? `localhost:${text.replace(/^:/, '')}` : text;
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `http://${typed}`;
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password) return url.href;
  const wanted = url?.username || url?.password ? 'without a user name' : 'of http or https';
  throw new ArgumentError(`--forward-to must be an address ${wanted}, not "${text}".`, {
    advice: 'Write it as localhost:4000/webhooks or http://localhost:4000/webhooks.',
  });
}

/**
 * Choice: the default secret is derived from the API key, so that it is the same at each start and the receiver is
 * configured only once. The API key cannot be computed from the secret.
 */
export async function secretFor(
  given: string | undefined,
  { apiKey }: Connection,
  { env }: Pick<DeveloperEnvironment, 'env'>,
): Promise<string> {
  const secret =
    given ?? (env.WEBHOOK_SECRET || `whsec_${createHmac('sha256', apiKey).update('listen').digest('base64')}`);
  try {
    await sign('', secret);
    return secret;
  } catch (error) {
    throw new ArgumentError(`The secret cannot be used. ${error instanceof Error ? error.message : error}`, {
      advice: 'Pass --secret whsec_… as a whole, or omit it: then one is made.',
      cause: error,
    });
  }
}

/** The body equals, byte for byte, what the service would send to an endpoint with the id `localWebhookId`. */
export function orderOf({ id, event, mode, data, timestamp }: Event, { url, secret }: Target): EventOrder {
  return { eventId: id, event, mode, url, secret, body: { event, data, timestamp, webhookId: localWebhookId } };
}
