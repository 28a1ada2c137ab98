import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import { Payment } from '../money/payments/payment.entity.ts';
import { PaymentAttempt } from '../money/payments/payment-attempt.entity.ts';
import { Product, Storefront } from '../money/products/product.entity.ts';
import { Refund } from '../money/refunds/refund.entity.ts';
import { Transfer } from '../money/transfers/transfer.entity.ts';
import { LedgerAccount } from '../money/wallets/ledger-account.entity.ts';
import { LedgerEntry } from '../money/wallets/ledger-entry.entity.ts';
import { LedgerTransaction } from '../money/wallets/ledger-transaction.entity.ts';
import { AuditEntry } from '../people/audit/audit-entry.entity.ts';
import { ApiKey } from '../people/keys/api-key.entity.ts';
import { MerchantLogo } from '../people/logos/merchant-logo.entity.ts';
import { Merchant } from '../people/merchants/merchant.entity.ts';
import { DashboardSession } from '../people/sessions/dashboard-session.entity.ts';
import { DashboardUser } from '../people/sessions/dashboard-user.entity.ts';
import type { DatabaseAccess } from '../platform/database/connections.ts';
import { returnLostConnections } from '../platform/database/lost-connections.ts';
import { First } from '../platform/database/migrations/001-first.ts';
import { Keys } from '../platform/database/migrations/002-keys.ts';
import { LimitsAndIdempotency } from '../platform/database/migrations/003-limits-and-idempotency.ts';
import { EndpointManagement } from '../platform/database/migrations/004-endpoint-management.ts';
import { Ledger } from '../platform/database/migrations/005-ledger.ts';
import { Products } from '../platform/database/migrations/006-products.ts';
import { Dashboard } from '../platform/database/migrations/007-dashboard.ts';
import { Indexes } from '../platform/database/migrations/008-indexes.ts';
import { PaymentsSoFar } from '../platform/database/migrations/009-payments-so-far.ts';
import { Audit } from '../platform/database/migrations/010-audit.ts';
import { LivePayments } from '../platform/database/migrations/011-live-payments.ts';
import { AttemptIndexes } from '../platform/database/migrations/012-attempt-indexes.ts';
import { PaidAmounts } from '../platform/database/migrations/013-paid-amounts.ts';
import { OwedDeliveries } from '../platform/database/migrations/014-owed-deliveries.ts';
import { OwedIndexes } from '../platform/database/migrations/015-owed-indexes.ts';
import { DailyPartitions } from '../platform/database/migrations/016-daily-partitions.ts';
import { RolesAndTwoStep } from '../platform/database/migrations/017-roles-and-two-step.ts';
import { DashboardFigures } from '../platform/database/migrations/018-dashboard-figures.ts';
import { ProductIndex } from '../platform/database/migrations/020-product-index.ts';
import { DeliveryHours } from '../platform/database/migrations/021-delivery-hours.ts';
import { PageIndexes } from '../platform/database/migrations/022-page-indexes.ts';
import { PaymentHours } from '../platform/database/migrations/023-payment-hours.ts';
import { ListIndexes } from '../platform/database/migrations/024-list-indexes.ts';
import { ExpiryReason } from '../platform/database/migrations/025-expiry-reason.ts';
import { AttemptAddress } from '../platform/database/migrations/026-attempt-address.ts';
import { EventFeed } from '../platform/database/migrations/027-event-feed.ts';
import { Refunds } from '../platform/database/migrations/028-refunds.ts';
import { RefundChecks } from '../platform/database/migrations/029-refund-checks.ts';
import { LineItems } from '../platform/database/migrations/030-line-items.ts';
import { MerchantLogos } from '../platform/database/migrations/031-merchant-logos.ts';
import { MerchantLinks } from '../platform/database/migrations/032-merchant-links.ts';
import { CancelledBy } from '../platform/database/migrations/033-cancelled-by.ts';
import { Traces } from '../platform/database/migrations/034-traces.ts';
import { HistoryIndexes } from '../platform/database/migrations/035-history-indexes.ts';
import { ReviewReasons } from '../platform/database/migrations/036-review-reasons.ts';
import { ExactBalances } from '../platform/database/migrations/037-exact-balances.ts';
import { AttemptCauses } from '../platform/database/migrations/038-attempt-causes.ts';
import { WebhookEndpoint } from '../webhooks/endpoints/endpoint.entity.ts';
import { Delivery, DeliveryAttempt, Event, OwedDelivery } from '../webhooks/queue/delivery.entity.ts';

const entities = [
  Merchant,
  ApiKey,
  DashboardUser,
  DashboardSession,
  AuditEntry,
  Payment,
  PaymentAttempt,
  Refund,
  Transfer,
  LedgerAccount,
  LedgerTransaction,
  LedgerEntry,
  MerchantLogo,
  Product,
  Storefront,
  WebhookEndpoint,
  Event,
  Delivery,
  OwedDelivery,
  DeliveryAttempt,
];

/** The use of the pool's connections. */
export type PoolUsage = Pick<Pool, 'totalCount' | 'idleCount' | 'waitingCount'>;

/** Opens the ORM for a database. It sends no query yet. */
export function openOrm(
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
      // The ORM reads host, user, password and database from the address, and ignores all else, such as `sslmode`.
      connectionString: clientUrl,
      onPoolCreated(pool: Pool) {
        settings.onPoolCreated(pool);
        returnLostConnections(pool);
        onPool(pool);
      },
    },
    extensions: [Migrator],
    migrations: {
      tableName: 'migration',
      // One transaction for each migration. In a common transaction, the locks of the first would last until the end of
      // the last.
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
        { name: '025-expiry-reason', class: ExpiryReason },
        { name: '026-attempt-address', class: AttemptAddress },
        { name: '027-event-feed', class: EventFeed },
        { name: '028-refunds', class: Refunds },
        { name: '029-refund-checks', class: RefundChecks },
        { name: '030-line-items', class: LineItems },
        { name: '031-merchant-logos', class: MerchantLogos },
        { name: '032-merchant-links', class: MerchantLinks },
        { name: '033-cancelled-by', class: CancelledBy },
        { name: '034-traces', class: Traces },
        { name: '035-history-indexes', class: HistoryIndexes },
        { name: '036-review-reasons', class: ReviewReasons },
        { name: '037-exact-balances', class: ExactBalances },
        { name: '038-attempt-causes', class: AttemptCauses },
      ],
      snapshot: false,
      silent: true,
    },
    forceUtcTimezone: true,
    debug: false,
  });
}
