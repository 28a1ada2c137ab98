import { Migration } from '@mikro-orm/migrations';

// `merchant_id` is null for a mail to operators. It references nothing, because a payment would wait for the check.
// Values and recipient are removed with the row, after the retention.
const mails = `
  create table mail (
    id uuid primary key,
    kind text not null,
    merchant_id uuid,
    recipient text not null,
    message_id text not null,
    sealed_values text not null,
    status text not null check (status in ('pending', 'sent', 'refused', 'failed', 'dropped')),
    tries int not null default 0,
    last_answer text,
    created_at timestamptz(3) not null,
    ended_at timestamptz(3),
    next_check_at timestamptz default now(),
    rests_until timestamptz
  );`;

export class Mails extends Migration {
  override up(): void {
    this.addSql(mails);
    this.addSql('create index mail_due on mail (next_check_at) where next_check_at is not null');
    this.addSql('create index mail_ended on mail (ended_at) where ended_at is not null');
    this.addSql('create index mail_resting on mail (recipient) where rests_until is not null');
  }
}
