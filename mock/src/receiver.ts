/**
 * Stands in for a merchant's receiver: accepts webhooks at `/webhooks` and below, and verifies them with the SDK.
 * `POST /secrets` adds a signing secret; its body is the API's answer to the registration of an endpoint.
 */

import { printable } from '@tillhook/developer/terminal/printable';
import { sign, unwrap, WebhookVerificationError } from '@tillhook/sdk/webhooks';
import { type Address, type Running, UserError } from './listening.ts';
import { createDeliveryLog, type Delivery, type Wanted } from './receiver/delivery-log.ts';
import { type Answer, type Recorded, startRecordingServer } from './receiver/recording-server.ts';

export type { Delivery } from './receiver/delivery-log.ts';
export type { Answer, Reply } from './receiver/recording-server.ts';

/** Decides the answer to a delivery. `index` is the index of the delivery in `deliveries`. */
export type AnswerDelivery = (delivery: Delivery, index: number) => Answer | Promise<Answer>;

export interface ReceiverOptions extends Address {
  secrets?: readonly string[];
  /** When omitted, the receiver answers 200 `ok`, and 400 to a delivery with an invalid signature. */
  answer?: AnswerDelivery;
  /** Called for each delivery before it is answered. */
  onEvent?: (delivery: Delivery) => void;
  /** Called with one line when `POST /secrets` has added a secret. */
  onSecret?: (line: string) => void;
}

export interface Receiver extends Running {
  /** The URL to register as an endpoint, which ends in `/webhooks`. */
  url: string;
  /** All received deliveries, in order of arrival. */
  deliveries: readonly Delivery[];
  addSecret(secret: string): Promise<void>;
  /** Changes how the receiver answers from now on. Without an argument, the answers depend on the signature again. */
  setAnswer(answer?: AnswerDelivery): void;
  /**
   * With a number, waits until that many deliveries have arrived, and returns all deliveries. With a condition, waits
   * until a delivery meets the condition, and returns the deliveries that meet it. Rejects after `timeoutMs`, which is
   * 5000 by default.
   */
  waitFor(wanted: Wanted, timeoutMs?: number): Promise<Delivery[]>;
}

/** Starts a receiver, on a free port when `port` is omitted. */
export async function startReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const { port = 0, host = '127.0.0.1', onEvent, onSecret } = options;
  const secrets = new Set(options.secrets);
  await Promise.all([...secrets].map(checkSecret));
  const log = createDeliveryLog();
  let answer = options.answer ?? answerBySignature;

  const server = await startRecordingServer({ port, host }, async (request) => {
    const { pathname } = new URL(`http://receiver${request.path}`);
    if (request.method === 'POST' && pathname === '/secrets') {
      return learnSecret(request, (handover) => {
        secrets.add(handover.secret);
        onSecret?.(listeningFor(handover));
      });
    }
    if (request.method !== 'POST' || !/^\/webhooks(\/|$)/.test(pathname)) return nothingHere;
    const delivery = { ...request, ...(await verify(request, [...secrets])) };
    const index = log.add(delivery);
    onEvent?.(delivery);
    return answer(delivery, index);
  });

  return {
    url: `${server.url}/webhooks`,
    deliveries: log.deliveries,
    addSecret: async (secret) => {
      await checkSecret(secret);
      secrets.add(secret);
    },
    setAnswer: (next = answerBySignature) => {
      answer = next;
    },
    waitFor: (wanted, timeoutMs = 5000) => log.waitFor(wanted, timeoutMs),
    stop: () => {
      log.end();
      return server.stop();
    },
  };
}

const nothingHere: Answer = { status: 404, body: 'Send webhooks to POST /webhooks, secrets to POST /secrets.\n' };

function answerBySignature({ verification, problem }: Delivery): Answer {
  return verification === 'refused' ? { status: 400, body: problem } : { status: 200 };
}

async function verify(request: Recorded, secrets: string[]): Promise<Pick<Delivery, 'verification' | 'problem'>> {
  if (secrets.length === 0) return { verification: 'unverified' };
  try {
    await unwrap(request.body, request.headers, secrets);
    return { verification: 'verified' };
  } catch (error) {
    if (error instanceof WebhookVerificationError) return { verification: 'refused', problem: error.message };
    throw error;
  }
}

async function learnSecret(request: Recorded, learn: (handover: Handover) => void): Promise<Answer> {
  // Browsers send `Origin` with every POST. A page of another site must not be able to add a secret.
  if (request.headers.origin !== undefined) return { status: 403, body: 'Not from a browser.\n' };
  try {
    const handover = await readHandover(request.body);
    learn(handover);
    return { body: `${listeningFor(handover)}\n` };
  } catch (error) {
    if (error instanceof HandoverError) return { status: 400, body: `${error.message}\n` };
    throw error;
  }
}

function listeningFor({ url, id }: Handover): string {
  return printable(`listening for ${url ?? 'webhooks'}${id ? ` (${id})` : ''}`);
}

interface Handover {
  secret: string;
  id?: string;
  url?: string;
}

class HandoverError extends UserError {
  override name = 'HandoverError';
}

/** Reads the secret from the answer to a registration, or from `{"secret": "whsec_…"}`. */
async function readHandover(body: Buffer): Promise<Handover> {
  const { secret, id, url, message } = parse(body);
  if (typeof secret !== 'string') {
    throw new HandoverError(`The body contains no secret${typeof message === 'string' ? `: ${message}` : ''}.`);
  }
  await checkSecret(secret);
  return { secret, ...(typeof id === 'string' && { id }), ...(typeof url === 'string' && { url }) };
}

/** Throws when the SDK cannot verify signatures with this secret, for example because the secret is masked. */
async function checkSecret(secret: string): Promise<void> {
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
    // A body that is not JSON causes the same error as JSON that is not an object.
  }
  throw new HandoverError('Send JSON: the answer to a registration, or {"secret": "whsec_…"}.');
}
