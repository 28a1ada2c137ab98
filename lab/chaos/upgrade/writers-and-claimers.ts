import type { Stage } from '../stage.ts';

export interface ClaimedRows {
  writer: string;
  claimer: string;
  deliveries: number;
}

/** The row of a delivery does not name the processes that wrote and claimed it, so a trigger records them. */
export async function recordWritersAndClaimers({ database }: Stage): Promise<void> {
  await database.query(`
    create table chaos_written (delivery_id uuid primary key, process text not null);
    create table chaos_claimed (delivery_id uuid, process text, primary key (delivery_id, process));
    create function chaos_note_process() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into chaos_written values (new.delivery_id, current_setting('application_name')) on conflict do nothing;
      end if;
      if new.lease is not null then
        insert into chaos_claimed values (new.delivery_id, current_setting('application_name')) on conflict do nothing;
      end if;
      return null;
    end $$;
    create trigger chaos_note_process after insert or update of lease on pending_delivery
      for each row execute function chaos_note_process()`);
}

export async function listClaimedRows({ database }: Stage): Promise<ClaimedRows[]> {
  const { rows } = await database.query(`
    select written.process as writer, claimed.process as claimer, count(*)::int as deliveries
    from chaos_written written join chaos_claimed claimed using (delivery_id) group by 1, 2`);
  return rows;
}
