/**
 * Strict clients refuse an answer that exceeds a bound of the contract. So each bound on a field of an answer needs a
 * reason here: the size of a page, a request that fills the field, or a number in the code.
 */
import { type ModelOperation, readContract, type Schema } from '@tillhook/openapi';
import { currencies } from '@tillhook/openapi/rules/currencies';
import { maxProblems } from '@tillhook/openapi/rules/problems';
import { maxAttempts } from '@tillhook/server/src/money/payments/payment.entity.ts';
import { maxActiveProducts } from '@tillhook/server/src/money/products/product.entity.ts';
import { maxHits, maxTotal } from '@tillhook/server/src/search/search.service.ts';
import { maxEndpoints } from '@tillhook/server/src/webhooks/endpoints/endpoint.entity.ts';
import test from 'ava';

const { model } = readContract();

const bounds = ['maxItems', 'maxLength', 'maxProperties', 'maximum'] as const;

interface Place {
  name: string;
  field: string;
  schema: Schema;
}

function* placesIn(schema: Schema, field: string, owner: string): Generator<Place> {
  const name = schema.name ?? `${owner}.${field}`;
  yield { name, field, schema };
  const { properties = {}, items, additionalProperties, propertyNames, anyOf = [], oneOf = [] } = schema;
  const inner = schema.name ?? owner;
  for (const [key, child] of Object.entries(properties)) yield* placesIn(child, key, inner);
  if (items) yield* placesIn(items, `${field}[]`, inner);
  if (typeof additionalProperties === 'object') yield* placesIn(additionalProperties, `${field}{}`, inner);
  if (propertyNames) yield* placesIn(propertyNames, `${field}{name}`, inner);
  for (const child of [...anyOf, ...oneOf]) yield* placesIn(child, field, inner);
}

const answered = model.operations.flatMap((operation) =>
  [...operation.answers.values()].flatMap(({ content }) =>
    content ? [...placesIn(content.schema, '', operation.id)].map((place) => ({ ...place, operation })) : [],
  ),
);
const sentBy = ({ body, parameters }: ModelOperation) => [
  ...(body ? placesIn(body.schema, '', '') : []),
  ...parameters.flatMap(({ name, schema }) => [...placesIn(schema, name, '')]),
];
const sent = model.operations.flatMap(sentBy);
const places = [...answered, ...model.webhooks.flatMap(({ body }) => [...placesIn(body.schema, '', '')])];

/** The maximum size that the service writes, for each field of an answer that neither a page nor a request limits. */
const max: Readonly<Record<string, number>> = {
  'WebhookEndpointList.webhooks': maxEndpoints,
  'EndpointHealthList.endpoints': maxEndpoints,
  'Statistics.failingEndpoints': maxEndpoints,
  'StorefrontProductList.products': maxActiveProducts,
  'Payment.attempts': maxAttempts,
  // One group for each kind.
  'SearchResults.groups': Object.keys(model.schemas.get('SearchKind')?.['x-extensible-enum'] ?? {}).length,
  'LiveSetup.needs': Object.keys(model.schemas.get('LiveNeedKind')?.['x-extensible-enum'] ?? {}).length,
  'SearchGroup.hits': maxHits,
  'SearchGroup.total': maxTotal,
  'ErrorContent.details': maxProblems,
  // The names of all events to which an endpoint can subscribe, joined by commas.
  'WebhookEndpoint.events': (model.schemas.get('SubscribedEvent')?.enum ?? []).join(',').length,
  // For each currency, a list of wallets has two wallets, one of each kind.
  'WalletList.wallets': 2 * currencies.size,
  // The maximum number of keys that `metadata` has in a request.
  Metadata: Number(model.schemas.get('MetadataRequest')?.maxProperties),
  PaymentCounts: currencies.size,
  Volumes: currencies.size,
  'Customer.volumes': currencies.size,
  // A delivery has at most four attempts, because `DELIVERY_RETRY_DELAYS_MS` has at most three delays. An attempt
  // takes at most five minutes, the maximum of `DELIVERY_TIMEOUT_MS`.
  'Delivery.attemptCount': 4,
  'DeliveryDetail.attemptCount': 4,
  'DeliveryDetail.attempts': 4,
  'DeliveryAttempt.attempt': 4,
  'DeliveryAttempt.durationMs': 300_000,
  'TestEventDelivery.attempt': 1,
  'TestEventDelivery.durationMs': 300_000,
  'DeliveryAttempt.statusCode': 999,
  'TestEventDelivery.statusCode': 999,
  // `delivery-request.ts` makes 11 headers. The longest is `webhook-signature`, with three signatures of 47 characters
  // each, for three secrets.
  'DeliveryAttempt.requestHeaders': 11,
  'DeliveryAttempt.requestHeaders{}': 3 * 48,
  'DeliveryRequest.headers': 11,
  'DeliveryRequest.headers{}': 3 * 48,
  'DeliveryRequest.body': 16_384,
  // `answer.ts` stores 9 headers of at most 256 characters each, and 2,048 bytes of the body.
  'DeliveryAttempt.responseHeaders': 9,
  'DeliveryAttempt.responseHeaders{}': 256,
  'DeliveryAttempt.responseBody': 2048,
  'TestEventDelivery.responseBody': 2048,
  // `replayDeliveries` replays at most 10,000 deliveries.
  'ReplayCount.count': 10_000,
  // The code in `statistics/` returns at most 750 complete intervals and the current interval, 90 days, the hours of
  // seven days, and 20 entries of each kind that needs attention.
  'Statistics.intervals': 751,
  'Overview.days': 90,
  'Overview.intervals': 90,
  'Overview.attention': 20 * Object.keys(model.schemas.get('AttentionKind')?.['x-extensible-enum'] ?? {}).length,
  'OverviewFigures.declines': 10,
  'EndpointHealth.hours': 168,
  'Attention.label': 2048,
  'Attention.subject': 64,
  // A complete API key has 46 characters: a prefix of 8 and 38 further characters. A user has ten recovery codes,
  // each of four groups of four characters.
  'CreatedApiKey.key': 46,
  KeyPrefix: 12,
  KeyEnd: 4,
  'RecoveryCodes.recoveryCodes': 10,
  'RecoveryCodes.recoveryCodes[]': 19,
  // The secret has 160 bits in base32. The URI contains an e-mail address of at most 254 characters, each of which
  // takes up to nine characters in percent-encoding.
  'TwoStepSecret.secret': 32,
  'TwoStepSecret.uri': 254 * 9 + 200,
  // A secret is `whsec_` with 24 or 32 bytes in base64. A masked secret is shorter.
  'WebhookEndpoint.secret': 50,
  'RevealedSecret.secret': 50,
  'RevealedSecret.nextSecret': 50,
  // By Web Authentication. A challenge has 32 bytes and the id of a user 16 bytes, in base64url; a user has at most 20
  // passkeys. The domain is that of `PUBLIC_URL`.
  PasskeyChallenge: 43,
  PasskeyDomain: 253,
  PasskeyTimeout: 300_000,
  UserVerification: 8,
  'PasskeyOwner.id': 22,
  'PasskeyAlgorithm.type': 10,
  'PasskeyAlgorithm.alg': -7,
  'AuthenticatorSelection.residentKey': 8,
  'CredentialDescriptor.type': 10,
  'PasskeyCreationOptions.attestation': 4,
  'PasskeyCreationOptions.pubKeyCredParams': 3,
  'PasskeyCreationOptions.excludeCredentials': 20,
  'PasskeyRequestOptions.allowCredentials': 20,
  // `maxTeam` in `team.service.ts`, an email address, and a URL of the service with a token.
  'Team.members': 500,
  'Team.invitations': 500,
  InvitedBy: 254,
  'InvitationWithLink.link': 500,
  'AttemptCard.last4': 4,
  'PaymentMethod.last4': 4,
  'Recipient.accountNumberLast4': 4,
  // An IPv6 address may have a zone. The service stores 300 characters of the User-Agent. The subject of an audit
  // entry may be an e-mail address.
  CallerAddress: 64,
  CallerBrowser: 300,
  'AuditEntry.subject': 254,
  'ReceivedMoney.processorId': 255,
  // Messages of the service and of processors. `stripe/session.ts` truncates longer messages.
  'Payment.failureMessage': 200,
  'CheckoutFailedEventData.failureMessage': 200,
  'PaymentAttempt.failureMessage': 200,
  'DeclineReason.message': 200,
  'Refund.failureReason': 200,
  'RefundEventData.failureReason': 200,
  'Transfer.failureReason': 200,
  'TransferEventData.failureReason': 200,
  'TransferEventData.recipientName': 140,
  EventReference: 64,
  // Messages that are fixed sentences, some with a number.
  'CheckoutSession.message': 100,
  'WebhookEndpointRemoval.message': 100,
  'TestEventResult.message': 100,
  'ReplayResult.message': 100,
  'ResendResult.message': 100,
  // The maximum length of the sentences in `openapi/rules/tls-failures.ts`.
  DeliveryErrorDetail: 150,
  // Names of merchants and API keys have the same maximum in requests. `ErrorDetail.code` is the name of a rule.
  MerchantName: 120,
  KeyName: 120,
  'AuditActor.email': 254,
  'ReceivedMoney.currency': 3,
  'ErrorDetail.code': 60,
  // A URL of the service: `PUBLIC_URL`, whose host name has at most 253 characters, and a path of the service.
  'CheckoutSessionData.checkoutUrl': 500,
  'Payment.checkoutUrl': 500,
  'Payment.receiptUrl': 500,
  'Settings.logoUrl': 500,
  'ErrorContent.docUrl': 500,
  // The URL of an endpoint has at most 2,048 characters.
  'WebhookEndpoint.url': 2048,
  'Delivery.url': 2048,
  'DeliveryDetail.url': 2048,
  'DeliveryAttempt.url': 2048,
  'EndpointHealth.url': 2048,
  'FailingEndpoint.url': 2048,
  'ErrorResponse.message': 1000,
  'ErrorResponse.requestId': 24,
  'ErrorContent.param': 200,
  'ErrorDetail.path': 400,
  'ErrorDetail.message': 500,
};

function isFixed({ format, enum: values, const: value }: Schema): boolean {
  return values !== undefined || value !== undefined || ['date-time', 'uuid'].includes(format ?? '');
}

const isIntegerLimit = (bound: number) => [2 ** 31 - 1, Number.MAX_SAFE_INTEGER, 999_999_999_999].includes(bound);

/** The maximum lengths that the first version promised. They must not change. */
const promised: Readonly<Record<string, number>> = {
  PaymentFailureCode: 60,
  TransferFailureCode: 60,
  DeliveryError: 40,
};

test('in answers, a value of an extensible enum has no maximum length, except a maximum that the first version promised', (t) => {
  const open = places.filter(({ schema }) => schema['x-extensible-enum'] ?? schema.items?.['x-extensible-enum']);
  t.true(open.length > 100);

  const bounded = open.filter(({ schema }) => bounds.some((bound) => schema[bound] !== undefined));
  t.deepEqual([...new Set(bounded.map(({ name }) => name))].sort(), Object.keys(promised).sort());
  for (const { name, schema } of bounded) {
    const maxLength = Math.max(...Object.keys(schema['x-extensible-enum'] ?? {}).map((value) => value.length));
    t.is(schema.maxLength, promised[name]);
    t.true(maxLength <= Number(promised[name]), name);
  }
});

test('a page holds as many records as `limit` allows', (t) => {
  const pages = model.operations.filter(({ parameters }) => parameters.some(({ name }) => name === 'limit'));
  t.true(pages.length > 10);

  for (const { id, parameters, success } of pages) {
    const limit = parameters.find(({ name }) => name === 'limit')?.schema.maximum ?? Number.POSITIVE_INFINITY;
    const [name, list] = Object.entries(success.content?.schema.properties ?? {}).find(([, { items }]) => items) ?? [];
    // Lists of endpoints have a smaller bound, because a merchant has fewer endpoints than the maximum of `limit`.
    if (`${success.content?.schema.name}.${name}` in max) continue;
    t.true((list?.maxItems ?? Number.POSITIVE_INFINITY) >= limit, id);
  }
});

test('the maximum length of a field in an answer is at least that of the same field in requests for the record', (t) => {
  let compared = 0;
  for (const { name, field, schema, operation } of answered) {
    // The field `code` of a request has another meaning than the `code` of an error.
    if (!operation.body || name.startsWith('Error')) continue;
    for (const given of sentBy(operation).filter((place) => place.field === field)) {
      for (const bound of bounds) {
        const width = given.schema[bound];
        if (width === undefined || schema[bound] === undefined) continue;
        compared += 1;
        t.true(
          schema[bound] >= width,
          `${operation.id}: ${name} has ${bound} ${schema[bound]}, and ${given.name} ${width}`,
        );
      }
    }
  }
  t.true(compared > 50, String(compared));
});

test('each maximum in an answer that comes from neither a page nor a request is listed in this test, and is high enough', (t) => {
  const bounded = places.filter(({ schema }) => bounds.some((bound) => schema[bound] !== undefined));
  const named = bounded.filter(({ name }) => name in max);
  for (const { name, schema } of named) {
    for (const bound of bounds)
      t.true((schema[bound] ?? Number.POSITIVE_INFINITY) >= Number(max[name]), `${name} ${bound}`);
  }
  const unknown = bounded.filter((place) => !(place.name in max || isExplained(place)));

  t.deepEqual([...new Set(unknown.map(({ name }) => name))], []);
  t.deepEqual(
    Object.keys(max).filter((name) => !named.some((place) => place.name === name)),
    [],
  );
});

const pages = new Set(
  model.operations
    .filter(({ parameters }) => parameters.some(({ name }) => name === 'limit'))
    .flatMap(({ success }) => Object.values(success.content?.schema.properties ?? {}))
    .map(({ pointer }) => pointer),
);
const sentNames = new Set(sent.map(({ schema, field }) => schema.name ?? field));

function isExplained({ name, field, schema }: Place): boolean {
  const isSent = sentNames.has(schema.name ?? field) || pages.has(schema.pointer) || name in promised;
  return isSent || isFixed(schema) || isIntegerLimit(schema.maximum ?? 0);
}
