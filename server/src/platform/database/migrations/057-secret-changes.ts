import { Migration } from '@mikro-orm/migrations';
import { giveWay } from '../schema/give-way.ts';

/**
 * The secrets of endpoints that exist already may have changed a moment ago, so they count as changed now. The trigger
 * also covers changes by the previous version.
 * See docs/decisions/delivery.md, "Signatures are computed again for people who may see the secret".
 */
export class SecretChanges extends Migration {
  override up(): void {
    this.addSql(giveWay);
    this.addSql('alter table webhook_endpoint add column secrets_changed_at timestamptz(3) default now()');
    this.addSql('alter table webhook_endpoint alter column secrets_changed_at drop default');
    this.addSql(trigger);
  }
}

const trigger = `
  create function note_secret_change() returns trigger language plpgsql as $$
  begin
    new.secrets_changed_at := now();
    return new;
  end $$;
  create trigger webhook_endpoint_secrets_changed before update of sealed_secret, secret_rotation on webhook_endpoint
    for each row when (old.sealed_secret is distinct from new.sealed_secret
      or old.secret_rotation is distinct from new.secret_rotation)
    execute function note_secret_change();`;
