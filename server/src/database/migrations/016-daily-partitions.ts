import { Migration } from '@mikro-orm/migrations';
import { firstIdAt } from '../../kit/ids.ts';
import { createDay, type DailyTable, dailyTables, dayOf, later } from '../daily-partitions.ts';
import { giveWay } from './give-way.ts';

interface Table {
  name: DailyTable;
  /** Made ready for its new life as a partition. */
  prepare: string;
  indexes: string;
}

// An attempt is known by its delivery and number. Its own id stays for the version before, which writes one.
const tables: Table[] = [
  {
    name: 'event',
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
    prepare: `
      alter table delivery_attempt drop constraint delivery_attempt_pkey, alter column id drop not null;
      alter table delivery_attempt add constraint delivery_attempt_before_pkey primary key using index delivery_attempt_key;
      drop index delivery_attempt_list;`,
    indexes: 'alter table delivery_attempt add constraint delivery_attempt_pkey primary key (delivery_id, attempt);',
  },
];

/** While it waits for tables that are in use, and a little longer in case it has to be begun again on another day. */
const daysToFinish = 7;
const daysAhead = 7;

/**
 * What was written so far becomes one partition, and each day from its end on gets one of its own. A check of the old rows
 * stands in for the look at them that attaching would otherwise take, with everybody waiting.
 */
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
    const end = later(dayOf(new Date(found?.now)), found?.some ? daysToFinish : 0);
    const unchecked = `alter table ${name} drop constraint if exists ${name}_before`;
    await this.execute(unchecked);
    try {
      await this.check(name, firstIdAt(end));
      await this.execute(switchOver(table, end));
    } catch (error) {
      // Left behind it would refuse what is written once that day has come.
      await this.execute(unchecked);
      throw error;
    }
  }

  private async check(name: DailyTable, end: string): Promise<void> {
    const isBefore = `${dailyTables[name]} < '${end}'`;
    const [found] = await this.execute(`select exists (select from ${name} where not (${isBefore})) as stray`);
    if (found?.stray) return;
    await this.execute(`${giveWay} alter table ${name} add constraint ${name}_before check (${isBefore}) not valid`);
    await this.execute(`alter table ${name} validate constraint ${name}_before`);
  }
}

/** Statements that are sent together are one transaction. An id that no clock can have made yet goes to `…_other`. */
function switchOver({ name, prepare, indexes }: Table, end: Date): string {
  const key = dailyTables[name];
  const isStray = `${key} >= '${firstIdAt(end)}'`;
  const days = Array.from({ length: daysAhead + 1 }, (_, ahead) => later(end, ahead));
  return `
    ${giveWay}
    lock table ${name} in access exclusive mode;
    create temporary table stray on commit drop as select * from ${name} where ${isStray};
    delete from ${name} where ${isStray};
    ${prepare}
    alter table ${name} rename to ${name}_before;
    create table ${name} (like ${name}_before including defaults) partition by range (${key});
    ${indexes}
    alter table ${name} attach partition ${name}_before for values from (minvalue) to ('${firstIdAt(end)}');
    alter table ${name}_before drop constraint if exists ${name}_before;
    create table ${name}_other partition of ${name} default;
    ${days.map((day) => `${createDay(name, day)};`).join('\n')}
    insert into ${name} select * from stray;`;
}
