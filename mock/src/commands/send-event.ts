/** Sends a signed webhook: `tillhook-mock event checkout.success --to http://localhost:4000/webhooks`. */

import { type Attempt, sendEvent } from '@tillhook/developer/sending/event-sender';
import type { Fault } from '@tillhook/developer/sending/faults';
import { failureOf, isReceived } from '@tillhook/developer/sending/post-webhook';
import { printable } from '@tillhook/developer/terminal/printable';
import { readContract } from '@tillhook/openapi';
import { UserError } from '../listening.ts';
import { isSameAddress } from '../memory/known-endpoint.ts';
import { createSchemas } from '../requests/schemas.ts';
import { readOrder } from '../service/event-order.ts';

export interface EventCommand {
  event: string;
  to: string;
  secret?: string;
  data?: string;
  fault?: Fault;
}

export async function sendEventByCommand({ to: url, data, ...rest }: EventCommand, mockUrl: string): Promise<boolean> {
  const { document, model } = readContract();
  const known = rest.secret === undefined ? await registeredAt(mockUrl, url) : undefined;
  const order = await readOrder(
    { model, schemas: createSchemas(document), endpointAt: () => known },
    { url, ...rest, ...(data !== undefined && { data: parsed(data) }) },
  );
  if (rest.fault !== 'bad-signature')
    console.log(
      `signed with ${secretInWords({ isGiven: rest.secret !== undefined, isKnown: known !== undefined, mockUrl })}`,
    );
  const { delivered, verdict } = await sendEvent(order, { onAttempt: (attempt) => console.log(lineOf(attempt)) });
  if (verdict) console.log(verdict.message);
  return verdict ? verdict.isCorrect : delivered;
}

function secretInWords({ isGiven, isKnown, mockUrl }: { isGiven: boolean; isKnown: boolean; mockUrl: string }): string {
  if (isGiven) return 'the given secret';
  return isKnown
    ? `the secret of the endpoint that ${mockUrl} has at this address`
    : "the secret of the contract's example, because no running mock has an endpoint at this address";
}

/** Returns the mock's endpoint with this URL; undefined when there is none, or when no mock responds. */
async function registeredAt(mockUrl: string, url: string): Promise<{ id: string; secret: string } | undefined> {
  try {
    const answer = await fetch(`${mockUrl}/__mock/endpoints`, { signal: AbortSignal.timeout(500) });
    const { endpoints } = (await answer.json()) as { endpoints: { id: string; secret: string; url: string }[] };
    return endpoints.find((one) => isSameAddress(one.url, url));
  } catch {
    return undefined;
  }
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch (error) {
    throw new UserError(`--data must be JSON, not ${data}`, { cause: error });
  }
}

function lineOf({ attempt, statusCode, responseBody, durationMs, ...failed }: Attempt): string {
  const failure = failureOf(failed);
  const line = `attempt ${attempt}: ${statusCode ?? failure.word} in ${durationMs} ms`;
  if (isReceived(statusCode)) return line;
  const why = statusCode === null ? failure.sentence : (responseBody ?? '').trim().split('\n', 1)[0];
  return why ? `${line}: ${printable(why).slice(0, maxAnswerLength)}` : line;
}

const maxAnswerLength = 200;
