import type { OperationInput, OperationOutput, operations, paths } from '@tillhook/openapi';

/**
 * The operations that take an API key. Those of the Dashboard take the session of somebody who signed in and no key, so
 * that a leaked one mints no others; a program has no use for them.
 */
export type OperationId = { [Id in keyof operations]: [Route<Id>] extends [never] ? never : Id }[keyof operations];

/**
 * Where each operation lives: the only methods and paths that the SDK writes. A missing entry, or a
 * pair at which the contract has another operation, does not compile.
 */
export const routes: { readonly [Id in OperationId]: Route<Id> } = {
  getAccount: ['get', '/api/v1/me'],
  createCheckout: ['post', '/api/v1/payments/checkout'],
  listPayments: ['get', '/api/v1/payments'],
  getPayment: ['get', '/api/v1/payments/{reference}'],
  cancelCheckout: ['post', '/api/v1/payments/{reference}/cancel'],
  registerWebhookEndpoint: ['post', '/api/v1/merchant-webhooks'],
  listWebhookEndpoints: ['get', '/api/v1/merchant-webhooks'],
  getWebhookEndpoint: ['get', '/api/v1/merchant-webhooks/{id}'],
  updateWebhookEndpoint: ['patch', '/api/v1/merchant-webhooks/{id}'],
  removeWebhookEndpoint: ['delete', '/api/v1/merchant-webhooks/{id}'],
  sendTestEvent: ['post', '/api/v1/merchant-webhooks/{id}/test'],
  rotateWebhookSecret: ['post', '/api/v1/merchant-webhooks/{id}/rotate-secret'],
  completeWebhookSecretRotation: ['post', '/api/v1/merchant-webhooks/{id}/rotate-secret/complete'],
  replayDeliveries: ['post', '/api/v1/merchant-webhooks/{id}/replay'],
  listDeliveries: ['get', '/api/v1/webhook-deliveries'],
  getDelivery: ['get', '/api/v1/webhook-deliveries/{id}'],
  resendDelivery: ['post', '/api/v1/webhook-deliveries/{id}/resend'],
  listEvents: ['get', '/api/v1/events'],
  getEvent: ['get', '/api/v1/events/{id}'],
  createTransfer: ['post', '/api/v1/transfers'],
  listTransfers: ['get', '/api/v1/transfers'],
  getTransfer: ['get', '/api/v1/transfers/{reference}'],
  listWallets: ['get', '/api/v1/wallets'],
  topUpTransferWallet: ['post', '/api/v1/wallets/transfer/top-ups'],
  listWalletEntries: ['get', '/api/v1/wallets/{kind}/entries'],
  listStorefrontProducts: ['get', '/api/v1/storefront/products'],
  createProduct: ['post', '/api/v1/storefront/products'],
  updateProduct: ['patch', '/api/v1/storefront/products/{id}'],
  archiveProduct: ['delete', '/api/v1/storefront/products/{id}'],
  testCompletePayment: ['post', '/api/v1/test-helpers/payments/{reference}/complete'],
  testFailPayment: ['post', '/api/v1/test-helpers/payments/{reference}/fail'],
  testFundWallet: ['post', '/api/v1/test-helpers/wallets/fund'],
};

/** The operations whose security is `apiKeyHeader`; every other takes the key as a Bearer token. */
const apiKeyHeaderOperations: ReadonlySet<OperationId> = new Set<OperationId>(['createCheckout']);

/** The header that carries the API key of an operation. */
export function authHeader(id: OperationId, apiKey: string): Record<string, string> {
  return apiKeyHeaderOperations.has(id) ? { 'x-api-key': apiKey } : { authorization: `Bearer ${apiKey}` };
}

export type Method = 'get' | 'put' | 'post' | 'patch' | 'delete';

/** The pairs of method and path at which the contract has this operation. */
type Route<Id extends keyof operations> = {
  [Path in KeyedPath]: {
    [Verb in Method]: [paths[Path][Verb], operations[Id]] extends [operations[Id], paths[Path][Verb]]
      ? readonly [Verb, Path]
      : never;
  }[Method];
}[KeyedPath];

type KeyedPath = Exclude<keyof paths, `/api/v1/dashboard/${string}`>;

/** What goes into a request, whichever operation it is. */
export interface RequestParts {
  path: Record<string, unknown>;
  query?: unknown;
  body?: unknown;
}

export type Send = (id: OperationId, parts: RequestParts) => Promise<unknown>;

/** A table of verbs and the operations they stand for, as methods. */
export type Resource<Table extends Record<string, OperationId>> = {
  readonly [Verb in keyof Table]: OperationMethod<Table[Verb]>;
};

/** Turns such a table into its methods. */
export function resourcesOver(send: Send): <T extends Record<string, OperationId>>(table: T) => Resource<T> {
  return <T extends Record<string, OperationId>>(table: T) => {
    const methods = Object.entries(table).map(([verb, id]) => [verb, methodOver(send, id)]);
    // The contract's types say what each method takes and gives; at run time they are all alike.
    return Object.fromEntries(methods) as Resource<T>;
  };
}

function methodOver(send: Send, id: OperationId): (...input: unknown[]) => Promise<unknown> {
  const [method, path] = routes[id];
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => String(match[1]));
  return (...input) => {
    const rest = input[names.length];
    const parts = { path: Object.fromEntries(names.map((name, position) => [name, input[position]])) };
    return send(id, method === 'get' ? { ...parts, query: rest } : { ...parts, body: rest });
  };
}

/** What the client offers for an operation: what the path names, then the body or the query. */
export type OperationMethod<Id extends OperationId> = (
  ...input: [
    ...PathArguments<OperationInput<Id>['path']>,
    ...BodyArguments<OperationInput<Id>['body']>,
    ...QueryArguments<OperationInput<Id>['query']>,
  ]
) => Promise<OperationOutput<Id>>;

type PathArguments<Path> = Path extends { reference: infer Reference }
  ? [reference: Reference]
  : Path extends { id: infer Id }
    ? [id: Id]
    : Path extends { kind: infer Kind }
      ? [kind: Kind]
      : keyof Path extends never
        ? []
        : never;
type BodyArguments<Body> = [Body] extends [undefined]
  ? []
  : undefined extends Body
    ? [body?: Exclude<Body, undefined>]
    : [body: Body];
type QueryArguments<Query> = [Query] extends [never] ? [] : [query?: Query];
