import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

/** Migration 008 builds the indexes of the new columns. */
export class EndpointManagement extends Migration {
  override up(): void {
    this.addSql(giveWay);
    this.addSql(endpoints);
    this.addSql(deliveries);
  }
}

const endpoints = `
  alter table webhook_endpoint
    add column failure_streak int not null default 0,
    add column disabled_reason text,
    add column disabled_at timestamptz(3),
    add column secret_rotation jsonb;`;

const deliveries = `
  alter table delivery
    add column resent_from uuid,
    add column resent_at timestamptz(3);`;
