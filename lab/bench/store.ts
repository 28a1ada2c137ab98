import { Client } from 'pg';
import { type Bench, createSchema } from './bench.ts';

/** A separate database for a measurement, because other measurements must not see or remove its rows. */
export interface Store {
  database: Client;
  url: string;
}

export async function openStore({ createDatabase, running }: Bench, name: string): Promise<Store> {
  const url = await createDatabase(name);
  await createSchema(url);
  const database = new Client({ connectionString: url });
  await database.connect();
  running.defer(() => database.end());
  return { database, url };
}
