import type {
  DeliveryAttempt as DeliveryAttemptRecord,
  DeliveryDetail,
  Delivery as DeliveryRecord,
  EventName,
} from '@tillhook/openapi';
import { tlsFailure } from '@tillhook/openapi/rules/tls-failures';
import type { CsvColumns } from '../../kit/csv.ts';
import { deliveryRequest, unsignedHeaders } from '../../wire/delivery-request.ts';
import { deliveryBody } from '../../wire/event-body.ts';
import type { SigningKeys } from '../../wire/keyring.ts';
import type { DeliveryAttempt } from '../queue/delivery.entity.ts';
import type { LoggedDelivery } from './deliveries.service.ts';
import type { KeysAt } from './signatures-of-attempts.ts';

export function deliveryView({ delivery, event, endpoint, nextAttemptAt }: LoggedDelivery): DeliveryRecord {
  return {
    id: delivery.id,
    eventId: event.id,
    webhookId: endpoint.id,
    event: event.name as EventName,
    reference: event.reference ?? null,
    url: endpoint.url,
    mode: delivery.mode,
    status: delivery.status,
    statusReason: delivery.statusReason ?? null,
    attemptCount: delivery.attemptCount,
    nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
    resentFrom: delivery.resentFrom ?? null,
    createdAt: delivery.createdAt.toISOString(),
    completedAt: delivery.completedAt?.toISOString() ?? null,
  };
}

export const deliveryColumns: CsvColumns<DeliveryRecord> = {
  id: ({ id }) => id,
  eventId: ({ eventId }) => eventId,
  webhookId: ({ webhookId }) => webhookId,
  event: ({ event }) => event,
  reference: ({ reference }) => reference,
  url: ({ url }) => url,
  mode: ({ mode }) => mode,
  status: ({ status }) => status,
  statusReason: ({ statusReason }) => statusReason,
  attemptCount: ({ attemptCount }) => attemptCount,
  nextAttemptAt: ({ nextAttemptAt }) => nextAttemptAt,
  resentFrom: ({ resentFrom }) => resentFrom,
  createdAt: ({ createdAt }) => createdAt,
  completedAt: ({ completedAt }) => completedAt,
};

/** `keysAt` is null for a reader who may not see signatures. */
export function deliveryDetailView(
  logged: LoggedDelivery,
  attempts: DeliveryAttempt[],
  keysAt: KeysAt | null,
): DeliveryDetail {
  const { event, endpoint } = logged;
  const headersOf = (made: DeliveryAttempt | undefined) =>
    requestHeaders(logged, made, made ? (keysAt?.(made.startedAt) ?? null) : null);
  return {
    ...deliveryView(logged),
    request: { headers: headersOf(attempts.at(-1)), body: deliveryBody(event.body, endpoint.id) },
    attempts: attempts.map((made) => attemptView(made, headersOf(made))),
  };
}

// See docs/decisions/delivery.md, "The headers of an attempt are computed when the log is read".
function requestHeaders(
  { delivery: { id }, event, endpoint }: LoggedDelivery,
  made: DeliveryAttempt | undefined,
  keys: SigningKeys | null,
) {
  const values = { id, eventId: event.id, eventName: event.name, endpointId: endpoint.id, attempt: made?.attempt ?? 1 };
  const startedAt = made?.startedAt ?? new Date(0);
  const flat = keys
    ? deliveryRequest({ ...values, eventBody: event.body }, keys, startedAt).headers
    : unsignedHeaders(values, Math.floor(startedAt.getTime() / 1000));
  const pairs = flat.flatMap((name, at) => (at % 2 === 0 ? [[name, flat[at + 1] ?? ''] as const] : []));
  return Object.fromEntries(made ? pairs : pairs.filter(([name]) => !headersOfAttempt.includes(name)));
}

const headersOfAttempt = ['X-Service-Attempt', 'webhook-timestamp'];

function attemptView(made: DeliveryAttempt, requestHeaders: Record<string, string>): DeliveryAttemptRecord {
  return {
    attempt: made.attempt,
    url: made.url ?? null,
    startedAt: made.startedAt.toISOString(),
    durationMs: made.durationMs,
    statusCode: made.statusCode ?? null,
    error: made.error ?? null,
    errorDetail: tlsFailure(made.errorCause),
    requestHeaders,
    responseHeaders: made.responseHeaders ?? null,
    responseBody: made.responseBody ?? null,
    responseTruncated: made.responseTruncated,
  };
}
