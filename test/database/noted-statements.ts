import { reachDatabase } from '@tillhook/server/src/platform/database/connection/connections.ts';
import { openOrm } from '@tillhook/server/src/start/orm.ts';
import type { ClientConfig } from 'pg';

export interface Statement {
  text: string;
  values: unknown[];
}

type Query = (statement: unknown, ...rest: unknown[]) => Promise<unknown>;

export async function noteStatements(url: string) {
  const noted: Statement[] = [];
  const access = reachDatabase(url);
  class NotingClient extends access.settings.Client {
    constructor(config?: ClientConfig) {
      super(config);
      const client = this as unknown as { query: Query };
      const send = client.query.bind(client);
      client.query = (statement, ...rest) => {
        const [values] = rest;
        if (typeof statement === 'string') noted.push({ text: statement, values: Array.isArray(values) ? values : [] });
        return send(statement, ...rest);
      };
    }
  }
  const orm = await openOrm({ ...access, settings: { ...access.settings, Client: NotingClient } }, 2);
  return {
    orm,
    /** By default, returns only the statements that read, and none that write. */
    async statements(work: () => Promise<unknown>, wanted = /^\s*\(?\s*(select|with)/i): Promise<Statement[]> {
      noted.length = 0;
      await work();
      return noted.filter(({ text }) => wanted.test(text));
    },
  };
}
