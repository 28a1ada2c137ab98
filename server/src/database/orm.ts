import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import { ApiKey } from '../auth/api-key.entity.ts';
import { DashboardSession } from '../auth/dashboard-session.entity.ts';
import { DashboardUser } from '../auth/dashboard-user.entity.ts';
import { Merchant } from '../auth/merchant.entity.ts';
import { DeliveryAttempt } from '../delivery/attempt.entity.ts';
import { Delivery } from '../delivery/delivery.entity.ts';
import { Event } from '../delivery/event.entity.ts';
import { Payment } from '../payments/payment.entity.ts';
import { PaymentAttempt } from '../payments/payment-attempt.entity.ts';
import { Product } from '../products/product.entity.ts';
import { Transfer } from '../transfers/transfer.entity.ts';
import { WebhookEndpoint } from '../webhooks/endpoint.entity.ts';
import { First } from './migrations/001-first.ts';

const entities = [
  Merchant,
  ApiKey,
  DashboardUser,
  DashboardSession,
  Payment,
  PaymentAttempt,
  Transfer,
  Product,
  WebhookEndpoint,
  Event,
  Delivery,
  DeliveryAttempt,
];

/** Opens the database. Nothing is asked of it yet. */
export function openDatabase(clientUrl: string, poolSize: number): Promise<MikroORM> {
  return MikroORM.init({
    clientUrl,
    entities,
    pool: { min: 0, max: poolSize },
    extensions: [Migrator],
    migrations: {
      tableName: 'migration',
      migrationsList: [{ name: '001-first', class: First }],
      snapshot: false,
      silent: true,
    },
    forceUtcTimezone: true,
    debug: false,
  });
}
