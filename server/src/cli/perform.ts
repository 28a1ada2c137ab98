/** Runs a command in one transaction. The command's output is printed only after the commit, except for long files. */
import type { Command } from 'commander';
import { openCommandContext } from '../command-context.ts';
import { loadConfig } from '../config.ts';
import type { WriteContext } from '../context.ts';
import { longStatementMs } from '../database/connections.ts';
import { shareEmbeddedPostgres } from '../database/embedded.ts';
import { inTransaction } from '../database/transaction.ts';

/** The result of a command. With `--json` the record is printed, otherwise the answer and the note. */
export interface Report {
  /** Undefined for a file, which is never JSON. */
  record?: unknown;
  /** What the operator asked for: a new secret alone, or a table. It goes to standard output. */
  answer?: string;
  /** A long answer, which is printed piece by piece while it is read. */
  pieces?: AsyncIterable<string>;
  /** A remark about the answer. It goes to standard error. */
  note?: string;
  /** The command worked, and its check found something wrong: the exit code is 1. */
  failed?: boolean;
}

type Work<Given> = (context: WriteContext, given: Given) => Promise<Report>;

interface Needs {
  /** Whether the command decrypts stored secrets. The other commands work without MASTER_KEYS. */
  seals?: boolean;
  /** Whether its SQL statements may take longer than those of the server. */
  takesLong?: boolean;
}

/**
 * The environment of a command: those parts of the process that `npx tillhook` hands over.
 * See docs/decisions/process.md, "Commands receive their environment and return an exit code".
 */
export interface CommandEnvironment {
  env: NodeJS.ProcessEnv;
  stdout: Output;
  stderr: Output;
}

interface Output {
  write(text: string): void;
}

/**
 * Makes a commander action from a function. The function receives the options, and the command's argument as `which`.
 */
export type Perform = <Given>(work: Work<Given>, needs?: Needs) => (...received: unknown[]) => Promise<void>;

/** `fail` is called when a report says `failed`. */
export function performIn({ env, stdout, stderr }: CommandEnvironment, fail: () => void): Perform {
  return <Given>(work: Work<Given>, needs: Needs = {}) =>
    async (...received) => {
      const command = received.at(-1) as Command;
      const { json, ...options } = command.optsWithGlobals();
      const given = { ...options, which: command.processedArgs[0] } as Given;
      const perform = async (context: WriteContext) => {
        const report = await work(context, given);
        for await (const piece of report.pieces ?? []) stdout.write(piece);
        return report;
      };
      const { record, answer, note, failed } = await inDatabase(perform, { env, ...needs });
      if (json && record !== undefined) stdout.write(`${JSON.stringify(record, null, 2)}\n`);
      else {
        if (note !== undefined) stderr.write(`${note}\n`);
        if (answer !== undefined) stdout.write(`${answer}\n`);
      }
      if (failed) fail();
    };
}

async function inDatabase(
  work: (context: WriteContext) => Promise<Report>,
  { env, seals = false, takesLong = false }: Needs & Pick<CommandEnvironment, 'env'>,
): Promise<Report> {
  await using started = new AsyncDisposableStack();
  const loaded = loadConfig(env, { seals });
  const { connectMs, statementMs } = loaded.databaseLimits;
  const databaseLimits = { connectMs, statementMs: takesLong ? longStatementMs : statementMs };
  const config = { ...loaded, databaseLimits, seedDemo: false, logLevel: 'warn' as const };
  const openEmbedded = () => shareEmbeddedPostgres(config.dataDir, databaseLimits);
  const { context } = await openCommandContext({ config, started, openEmbedded });
  return await inTransaction(context, work);
}
