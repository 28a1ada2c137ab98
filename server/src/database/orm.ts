import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import { AuditEntry } from '../audit/audit-entry.entity.ts';
import { ApiKey } from '../auth/api-key.entity.ts';
import { DashboardSession } from '../auth/dashboard-session.entity.ts';
import { DashboardUser } from '../auth/dashboard-user.entity.ts';
import { Merchant } from '../auth/merchant.entity.ts';
import { DeliveryAttempt } from '../delivery/attempt.entity.ts';
import { Delivery } from '../delivery/delivery.entity.ts';
import { Event } from '../delivery/event.entity.ts';
import { OwedDelivery } from '../delivery/owed-delivery.entity.ts';
import { Payment } from '../payments/payment.entity.ts';
import { PaymentAttempt } from '../payments/payment-attempt.entity.ts';
import { Product } from '../products/product.entity.ts';
import { Storefront } from '../products/storefront.entity.ts';
import { Transfer } from '../transfers/transfer.entity.ts';
import { LedgerAccount } from '../wallets/ledger-account.entity.ts';
import { LedgerEntry } from '../wallets/ledger-entry.entity.ts';
import { LedgerTransaction } from '../wallets/ledger-transaction.entity.ts';
import { WebhookEndpoint } from '../webhooks/endpoint.entity.ts';
import type { DatabaseAccess } from './connections.ts';
import { returnLostConnections } from './lost-connections.ts';
import { First } from './migrations/001-first.ts';
import { Keys } from './migrations/002-keys.ts';
import { LimitsAndIdempotency } from './migrations/003-limits-and-idempotency.ts';
import { EndpointManagement } from './migrations/004-endpoint-management.ts';
import { Ledger } from './migrations/005-ledger.ts';
import { Products } from './migrations/006-products.ts';
import { Dashboard } from './migrations/007-dashboard.ts';
import { Indexes } from './migrations/008-indexes.ts';
import { PaymentsSoFar } from './migrations/009-payments-so-far.ts';
import { Audit } from './migrations/010-audit.ts';
import { LivePayments } from './migrations/011-live-payments.ts';
import { AttemptIndexes } from './migrations/012-attempt-indexes.ts';
import { PaidAmounts } from './migrations/013-paid-amounts.ts';
import { OwedDeliveries } from './migrations/014-owed-deliveries.ts';
import { OwedIndexes } from './migrations/015-owed-indexes.ts';
import { DailyPartitions } from './migrations/016-daily-partitions.ts';
import { RolesAndTwoStep } from './migrations/017-roles-and-two-step.ts';
import { DashboardFigures } from './migrations/018-dashboard-figures.ts';
import { ProductIndex } from './migrations/020-product-index.ts';
import { DeliveryHours } from './migrations/021-delivery-hours.ts';
import { PageIndexes } from './migrations/022-page-indexes.ts';
import { PaymentHours } from './migrations/023-payment-hours.ts';
import { ListIndexes } from './migrations/024-list-indexes.ts';

const entities = [
  Merchant,
  ApiKey,
  DashboardUser,
  DashboardSession,
  AuditEntry,
  Payment,
  PaymentAttempt,
  Transfer,
  LedgerAccount,
  LedgerTransaction,
  LedgerEntry,
  Product,
  Storefront,
  WebhookEndpoint,
  Event,
  Delivery,
  OwedDelivery,
  DeliveryAttempt,
];

/** How much of the pool is used. */
export type PoolUsage = Pick<Pool, 'totalCount' | 'idleCount' | 'waitingCount'>;

/** Opens the database. Nothing is asked of it yet. */
export function openDatabase(
  { url: clientUrl, settings }: DatabaseAccess,
  poolSize: number,
  onPool: (pool: PoolUsage) => void = () => {},
): Promise<MikroORM> {
  return MikroORM.init({
    clientUrl,
    entities,
    pool: { min: 0, max: poolSize },
    driverOptions: {
      ...settings,
      onPoolCreated(pool: Pool) {
        returnLostConnections(pool);
        onPool(pool);
      },
    },
    extensions: [Migrator],
    migrations: {
      tableName: 'migration',
      // A transaction each: in one for all, what the first locks would stay locked until the last is done.
      allOrNothing: false,
      migrationsList: [
        { name: '001-first', class: First },
        { name: '002-keys', class: Keys },
        { name: '003-limits-and-idempotency', class: LimitsAndIdempotency },
        { name: '004-endpoint-management', class: EndpointManagement },
        { name: '005-ledger', class: Ledger },
        { name: '006-products', class: Products },
        { name: '007-dashboard', class: Dashboard },
        { name: '008-indexes', class: Indexes },
        { name: '009-payments-so-far', class: PaymentsSoFar },
        { name: '010-audit', class: Audit },
        { name: '011-live-payments', class: LivePayments },
        { name: '012-attempt-indexes', class: AttemptIndexes },
        { name: '013-paid-amounts', class: PaidAmounts },
        { name: '014-owed-deliveries', class: OwedDeliveries },
        { name: '015-owed-indexes', class: OwedIndexes },
        { name: '016-daily-partitions', class: DailyPartitions },
        { name: '017-roles-and-two-step', class: RolesAndTwoStep },
        { name: '018-dashboard-figures', class: DashboardFigures },
        { name: '020-product-index', class: ProductIndex },
        { name: '021-delivery-hours', class: DeliveryHours },
        { name: '022-page-indexes', class: PageIndexes },
        { name: '023-payment-hours', class: PaymentHours },
        { name: '024-list-indexes', class: ListIndexes },
      ],
      snapshot: false,
      silent: true,
    },
    forceUtcTimezone: true,
    debug: false,
  });
}
