/** Runs a command: one transaction, and only when it is saved does anybody hear of it. */
import type { Command } from 'commander';
import { openCommandContext } from '../command-context.ts';
import { loadConfig } from '../config.ts';
import type { WriteContext } from '../context.ts';
import { longStatementMs } from '../database/connections.ts';
import { visitEmbeddedPostgres } from '../database/embedded.ts';
import { inTransaction } from '../database/transaction.ts';

/** What a command leaves. Scripts that ask for JSON get the record, people the rest. */
export interface Report {
  record: unknown;
  /** What was asked for, to standard output: a new secret and nothing beside it, or a table. */
  answer?: string;
  /** What there is to know about it, to standard error. */
  note?: string;
  /** The work is done, and what it looked at is wrong: the command ends with 1. */
  failed?: boolean;
}

type Work<Given> = (context: WriteContext, given: Given) => Promise<Report>;

interface Needs {
  /** Whether it opens what is sealed. Most commands do not, and work where there are no master keys. */
  seals?: boolean;
  /** Whether its statements may take longer than those of a server. */
  takesLong?: boolean;
}

/**
 * Where a command runs: the process, as `npx tillhook` has it.
 * See docs/decisions/process.md, "Commands receive their environment and return an exit code".
 */
export interface Surroundings {
  env: NodeJS.ProcessEnv;
  stdout: Output;
  stderr: Output;
}

interface Output {
  write(text: string): void;
}

/** Makes a commander action of the work, which is given the options, and what it names as `which`. */
export type Perform = <Given>(work: Work<Given>, needs?: Needs) => (...received: unknown[]) => Promise<void>;

/** `fail` is called when the work is done and what it looked at is wrong. */
export function performIn({ env, stdout, stderr }: Surroundings, fail: () => void): Perform {
  return <Given>(work: Work<Given>, needs: Needs = {}) =>
    async (...received) => {
      const command = received.at(-1) as Command;
      const { json, ...options } = command.optsWithGlobals();
      const given = { ...options, which: command.processedArgs[0] } as Given;
      const { record, answer, note, failed } = await inDatabase((context) => work(context, given), { env, ...needs });
      if (json) stdout.write(`${JSON.stringify(record, null, 2)}\n`);
      else {
        if (note !== undefined) stderr.write(`${note}\n`);
        if (answer !== undefined) stdout.write(`${answer}\n`);
      }
      if (failed) fail();
    };
}

async function inDatabase(
  work: (context: WriteContext) => Promise<Report>,
  { env, seals = false, takesLong = false }: Needs & Pick<Surroundings, 'env'>,
): Promise<Report> {
  await using started = new AsyncDisposableStack();
  const loaded = loadConfig(env, { seals });
  const { connectMs, statementMs } = loaded.databaseLimits;
  const databaseLimits = { connectMs, statementMs: takesLong ? longStatementMs : statementMs };
  const config = { ...loaded, databaseLimits, seedDemo: false, logLevel: 'warn' as const };
  const openEmbedded = () => visitEmbeddedPostgres(config.dataDir, databaseLimits);
  return await inTransaction(await openCommandContext({ config, started, openEmbedded }), work);
}
