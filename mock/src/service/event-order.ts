import type { EventOrder } from '@tillhook/developer/sending/event-sender';
import { type Fault, faultNames, unknownEvent } from '@tillhook/developer/sending/faults';
import type { Model, ModelWebhook } from '@tillhook/openapi';
import { addressProblem } from '@tillhook/openapi/rules/fields';
import { plainWords, valueAt } from '@tillhook/openapi/rules/plain-words';
import type { Problem } from '@tillhook/openapi/rules/problems';
import { noBody } from '@tillhook/openapi/rules/sentences';
import { sign } from '@tillhook/sdk/webhooks';
import { v7 as newId } from 'uuid';
import { ApiError, fieldError } from '../requests/api-error.ts';
import { problemsIn } from '../requests/request-check.ts';
import type { Schemas } from '../requests/schemas.ts';

interface Reading {
  model: Model;
  schemas: Schemas;
  /** The id and secret of the registered endpoint are used when the caller gives none. */
  endpointAt?: (url: string) => { id: string; secret: string } | undefined;
}

/** Reads `{event, url, secret?, data?, fault?}`. Throws an `ApiError` if the value is invalid. */
export async function readOrder({ model, schemas, endpointAt }: Reading, value: unknown): Promise<EventOrder> {
  if (value === undefined) throw new ApiError(...noBody);
  if (!isRecord(value)) throw new ApiError('invalid_parameter', 'The body must be an object');
  const endpoint = endpointAt?.(String(value.url));
  const { event, url, secret = endpoint?.secret ?? secretOf(model), data = {}, fault, ...others } = value;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw fieldError('unknown_parameter', unknown, 'is not one of event, url, secret, data and fault');
  if (event === undefined) throw fieldError('missing_parameter', 'event', 'is required');
  if (url === undefined) throw fieldError('missing_parameter', 'url', 'is required');
  const webhook = model.webhooks.find(({ name }) => name === event);
  if (!webhook) {
    const known = model.webhooks.map(({ name }) => name).join(', ');
    throw fieldError('invalid_parameter', 'event', `must be one of ${known}`);
  }
  if (!isRecord(data)) throw fieldError('invalid_parameter', 'data', 'must be an object');
  checkAddress(url);
  await checkSecret(secret);
  checkFault(fault);
  const own = bodyOf(webhook, schemas, data);
  const name = fault === 'unknown-event' ? unknownEvent : webhook.name;
  const body = { ...own, event: name, ...(endpoint && { webhookId: endpoint.id }) };
  const common = {
    eventId: newId(),
    event: name,
    url: String(url),
    secret: String(secret),
    body,
    mode: 'test' as const,
  };
  return fault === undefined ? common : { ...common, fault };
}

function checkFault(fault: unknown): asserts fault is Fault | undefined {
  if (fault === undefined || faultNames.some((name) => name === fault)) return;
  throw fieldError('invalid_parameter', 'fault', `must be one of ${faultNames.join(', ')}`);
}

function secretOf({ operationById }: Model): unknown {
  const registration = operationById.get('registerWebhookEndpoint')?.success.content?.examples.get('basic')?.value;
  return isRecord(registration) ? registration.secret : undefined;
}

function checkAddress(url: unknown): void {
  const problem = addressProblem(typeof url === 'string' ? url : '');
  if (problem !== null) throw fieldError('invalid_url', 'url', problem);
}

async function checkSecret(secret: unknown): Promise<void> {
  const isUsable = await sign('', secret as string).then(
    () => true,
    () => false,
  );
  if (!isUsable)
    throw fieldError('invalid_parameter', 'secret', 'must be whsec_ and base64, as the registration returned it');
}

function bodyOf({ body }: ModelWebhook, schemas: Schemas, data: Record<string, unknown>): Record<string, unknown> {
  const [usual] = body.examples.values();
  const example = usual?.value as Record<string, unknown>;
  const sent = { ...example, data: { ...Object(example.data), ...data }, timestamp: new Date().toISOString() };
  const problems = problemsIn(schemas.ofJson(body.schema.pointer), sent);
  if (problems.length === 0) return sent;
  throw dataError(problems, sent);
}

/** Only `data` can have problems: all other fields of the event come from an example of the contract. */
function dataError(problems: readonly Problem[], sent: object): ApiError {
  const details = problems.map(({ pointer, rule, message }) => ({
    path: pointer,
    code: rule,
    message:
      rule === 'additionalProperties'
        ? 'is no field of this event'
        : plainWords({ rule, message }, valueAt(sent, pointer)),
  }));
  const param = problems[0]?.pointer.slice(1).replaceAll('/', '.') ?? 'data';
  return new ApiError('invalid_parameter', `${param} ${details[0]?.message}`, { param, details });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
