import type { Database } from './database.ts';

export async function schemaOf(database: Database): Promise<unknown[]> {
  return database.query(`
    select 'column' as what, concat_ws(' ', table_name, column_name, data_type, is_nullable, column_default) as text
      from information_schema.columns where table_schema = 'public'
    union all select 'index', indexdef from pg_indexes where schemaname = 'public'
    union all select 'constraint', concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid))
      from pg_constraint where connamespace = 'public'::regnamespace
    union all select 'broken', indexrelid::regclass::text from pg_index where not indisvalid
    order by 1, 2`);
}
