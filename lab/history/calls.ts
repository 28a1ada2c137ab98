import type { Client } from 'pg';

export interface Call {
  path: string;
  as: 'key' | 'user' | 'operator';
}

export interface Known {
  endpointId: string;
  eventId: string;
  deliveryId: string;
  paymentId: string;
  paymentReference: string;
  refundId: string;
  refundedReference: string;
  transferId: string;
  transferReference: string;
  entryId: string;
  auditId: string;
  records: number;
}

const hourMs = 3_600_000;
const maxOffset = 100_000;

export async function findKnown(database: Client, merchantId: string): Promise<Known> {
  const middle = (table: string, columns: string) => `(
    select json_build_object(${columns}) from ${table} where merchant_id = $1 and mode = 'test'
      and id > (select id from payment order by id offset (select count(*) / 2 from payment) limit 1) order by id limit 1)`;
  const { rows } = await database.query(
    `select ${middle('payment', "'paymentId', id, 'paymentReference', reference")} as payment,
       ${middle('refund', "'refundId', id, 'refundedReference', payment_reference")} as refund,
       ${middle('transfer', "'transferId', id, 'transferReference', reference")} as transfer,
       ${middle('delivery', "'deliveryId', id, 'endpointId', endpoint_id")} as delivery,
       ${middle('event', "'eventId', id")} as event, ${middle('audit_entry', "'auditId', id")} as audit,
       (select json_build_object('entryId', ledger_entry.id) from ledger_account
        join ledger_entry on account_id = ledger_account.id and number = entry_count / 2
        where merchant_id = $1 and mode = 'test' and kind = 'collection') as entry,
       (select json_build_object('records', count(*)) from payment where merchant_id = $1 and mode = 'test') as records`,
    [merchantId],
  );
  return Object.assign({}, ...Object.values(rows[0]));
}

export function callsOf(known: Known): Call[] {
  return [...listCalls(known), ...recordCalls(known), ...dashboardCalls()];
}

export function csvCalls({ paymentReference }: Known): Call[] {
  const lists = ['payments', 'refunds', 'transfers', 'wallets/collection/entries'];
  return [
    ...lists.map((list) => `/api/v1/${list}`),
    '/api/v1/payments?status=failed',
    '/api/v1/payments?customerEmail=customer77%40example.com',
    `/api/v1/wallets/collection/entries?reference=${paymentReference}`,
  ].map((path) => ({ path, as: 'key' }));
}

function listCalls(known: Known): Call[] {
  const time = timeOf(20 * 24, 5 * 24);
  const narrow = timeOf(30, 29);
  const deep = Math.min(Math.floor(known.records / 2), maxOffset);
  const lists: Record<string, string[]> = {
    payments: [
      'status=failed',
      'status=failed&status=expired',
      'status=completed&order=asc',
      'status=pending',
      'customerEmail=customer77%40example.com',
      'currency=NGN',
      'currency=USD',
      'minAmount=18500',
      'minAmount=12000&maxAmount=12010&status=failed',
      `reference=${known.paymentReference}`,
      `status=failed&${time}`,
    ],
    refunds: ['status=completed', 'status=pending', `paymentReference=${known.refundedReference}`],
    transfers: ['status=completed', 'status=processing', `reference=${known.transferReference}`],
    'webhook-deliveries': [
      `webhookId=${known.endpointId}`,
      `eventId=${known.eventId}`,
      'event=checkout.failed',
      'event=refund.success',
      ...['pending', 'delivered', 'failed', 'skipped', 'pending&status=failed'].map((status) => `status=${status}`),
      'retrying=true',
      `reference=${known.paymentReference}`,
      `webhookId=${known.endpointId}&status=failed&event=checkout.success&${time}`,
    ],
    events: ['event=checkout.failed', 'event=refund.success', `reference=${known.paymentReference}`],
    'wallets/collection/entries': [`reference=${known.paymentReference}`, 'currency=NGN'],
    'wallets/transfer/entries': [`reference=${known.transferReference}`],
    'dashboard/audit-entries': ['action=signIn', 'email=ada%40example.com', `subject=${known.paymentReference}`],
  };
  const afters: Record<string, string> = {
    payments: known.paymentId,
    refunds: known.refundId,
    transfers: known.transferId,
    'webhook-deliveries': known.deliveryId,
    events: known.eventId,
    'wallets/collection/entries': known.entryId,
    'dashboard/audit-entries': known.auditId,
  };
  return Object.entries(lists).flatMap(([list, filters]) => {
    const after = afters[list];
    const pages = ['', `offset=${deep}`, ...(after ? [`after=${after}`, `after=${after}&order=asc`] : [])];
    const queries = ['', 'order=asc', time, narrow, ...filters].flatMap((filter) =>
      pages.map((page) => [filter, page].filter(Boolean).join('&')),
    );
    const as = list.startsWith('dashboard/') ? 'user' : 'key';
    // Leaves out queries that set `order` twice.
    const valid = queries.filter((query) => query.split('order=').length <= 2);
    return valid.map((query) => ({ path: `/api/v1/${list}?limit=50${query && `&${query}`}`, as }) as const);
  });
}

function recordCalls(known: Known): Call[] {
  return [
    `payments/${known.paymentReference}`,
    `webhook-deliveries/${known.deliveryId}`,
    `events/${known.eventId}`,
    `transfers/${known.transferReference}`,
    'wallets',
    'events?wait=0',
    `events?after=${known.eventId}&wait=0&event=refund.success`,
    'merchant-webhooks',
  ].map((path) => ({ path: `/api/v1/${path}`, as: 'key' }));
}

function dashboardCalls(): Call[] {
  const spans = [
    [24, 'hour'],
    [14 * 24, 'hour'],
    [31 * 24, 'day'],
  ] as const;
  const ofUser = [
    ...[1, 7, 30, 90].map((days) => `overview?days=${days}`),
    ...spans.map(([hours, interval]) => `statistics?${timeOf(hours, 0)}&interval=${interval}`),
    ...[24, 168].map((hours) => `endpoint-health?hours=${hours}`),
    'settings',
    'api-keys',
    'sessions',
  ];
  const ofOperator = ['merchants', 'transfers', 'transfers?status=completed', 'payments'];
  return [
    ...ofUser.map((path) => ({ path: `/api/v1/dashboard/${path}`, as: 'user' }) as const),
    ...ofOperator.map((path) => ({ path: `/api/v1/dashboard/operator/${path}`, as: 'operator' }) as const),
  ];
}

function timeOf(fromHours: number, toHours: number): string {
  const at = (hours: number) => new Date(Date.now() - hours * hourMs).toISOString();
  return `from=${at(fromHours)}&to=${at(toHours)}`;
}
