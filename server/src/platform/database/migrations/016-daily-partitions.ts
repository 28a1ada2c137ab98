import { Migration } from '@mikro-orm/migrations';
import { dayMs } from '../../../kit/hours.ts';
import { firstIdAt } from '../../../kit/ids.ts';
import { giveWay } from '../schema/give-way.ts';

interface Table {
  name: string;
  key: string;
  prepare: string;
  indexes: string;
}

// The column `id` of an attempt stays for the previous release, which still writes it.
const tables: Table[] = [
  {
    name: 'event',
    key: 'id',
    prepare: `
      alter index event_pkey rename to event_before_pkey;
      alter index event_list rename to event_before_list;
      alter index event_reference rename to event_before_reference;`,
    indexes: `
      alter table event add constraint event_pkey primary key (id);
      create index event_list on event (merchant_id, mode, id);
      create index event_reference on event (merchant_id, mode, reference, id) where reference is not null;`,
  },
  {
    name: 'delivery_attempt',
    key: 'delivery_id',
    prepare: `
      alter table delivery_attempt drop constraint delivery_attempt_pkey, alter column id drop not null;
      alter table delivery_attempt add constraint delivery_attempt_before_pkey primary key using index delivery_attempt_key;
      drop index delivery_attempt_list;`,
    indexes: 'alter table delivery_attempt add constraint delivery_attempt_pkey primary key (delivery_id, attempt);',
  },
];

/**
 * If this migration is killed, a check constraint refuses rows from this many days in the future, until the next run
 * drops the constraint.
 */
const daysToFinish = 30;
const daysAhead = 7;

// See docs/decisions/database.md, "Old rows are found by the time in their ids".
export class DailyPartitions extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    for (const table of tables) if (!(await this.isPartitioned(table))) await this.partition(table);
  }

  private async isPartitioned({ name }: Table): Promise<boolean> {
    const [row] = await this.execute(`select relkind = 'p' as done from pg_class where oid = '${name}'::regclass`);
    return row?.done === true;
  }

  private async partition(table: Table): Promise<void> {
    const { name } = table;
    const [found] = await this.execute(`select exists (select from ${name}) as some, now() as now`);
    const today = Math.floor(new Date(found?.now).getTime() / dayMs);
    const end = today + (found?.some ? daysToFinish : 0);
    await this.dropCheck(name);
    try {
      if (found?.some) await this.check(table, firstIdOf(end));
      await this.execute(switchOver(table, end));
    } catch (error) {
      await this.dropCheck(name).catch(() => {});
      throw error;
    }
  }

  /**
   * With the check constraint, Postgres attaches the partition without a scan of all rows, during which all other
   * transactions would wait.
   */
  private async check({ name, key }: Table, end: string): Promise<void> {
    const [found] = await this.execute(`select exists (select from ${name} where ${key} >= '${end}') as stray`);
    if (found?.stray) return;
    await this.execute(
      `${giveWay} alter table ${name} add constraint ${name}_before check (${key} < '${end}') not valid`,
    );
    await this.execute(`alter table ${name} validate constraint ${name}_before`);
  }

  /** `drop constraint` locks the table even if the constraint is missing, so a query looks for the constraint first. */
  private async dropCheck(name: string): Promise<void> {
    const there = await this.execute(`select from pg_constraint where conname = '${name}_before' and contype = 'c'`);
    if (there.length > 0) await this.execute(`${giveWay} alter table ${name} drop constraint ${name}_before`);
  }
}

const firstIdOf = (day: number) => firstIdAt(new Date(day * dayMs));

/** Statements that are sent together are one transaction. A row whose id has an impossible time goes to `…_other`. */
function switchOver({ name, key, prepare, indexes }: Table, end: number): string {
  const isStray = `${key} >= '${firstIdOf(end)}'`;
  const days = Array.from({ length: daysAhead + 1 }, (_, ahead) => end + ahead);
  return `
    ${giveWay}
    lock table ${name} in access exclusive mode;
    create temporary table stray on commit drop as select * from ${name} where ${isStray};
    delete from ${name} where ${isStray};
    ${prepare}
    alter table ${name} rename to ${name}_before;
    create table ${name} (like ${name}_before including defaults) partition by range (${key});
    ${indexes}
    alter table ${name} attach partition ${name}_before for values from (minvalue) to ('${firstIdOf(end)}');
    alter table ${name}_before drop constraint if exists ${name}_before;
    create table ${name}_other partition of ${name} default;
    ${days.map((day) => createDay(name, day)).join('\n')}
    insert into ${name} select * from stray;`;
}

function createDay(name: string, day: number): string {
  const date = new Date(day * dayMs).toISOString().slice(0, 10).replaceAll('-', '');
  return `create table ${name}_${date} partition of ${name}
    for values from ('${firstIdOf(day)}') to ('${firstIdOf(day + 1)}');`;
}
