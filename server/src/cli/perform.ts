/** Runs a command: one transaction, and only when it is saved does anybody hear of it. */
import type { Command } from 'commander';
import { loadConfig } from '../config.ts';
import type { WriteContext } from '../context.ts';
import { visitEmbeddedPostgres } from '../database/embedded.ts';
import { inTransaction } from '../database/transaction.ts';
import { layFoundation } from '../foundation.ts';

/** What a command leaves. Scripts that ask for JSON get the record, people the rest. */
export interface Report {
  record: unknown;
  /** What was asked for, to standard output: a new secret and nothing beside it, or a table. */
  answer?: string;
  /** What there is to know about it, to standard error. */
  note?: string;
}

type Work<Given> = (context: WriteContext, given: Given) => Promise<Report>;

/** Makes a commander action of the work, which is given the options, and what it names as `which`. */
export function perform<Given>(work: Work<Given>): (...received: unknown[]) => Promise<void> {
  return async (...received) => {
    const command = received.at(-1) as Command;
    const { json, ...options } = command.optsWithGlobals();
    const given = { ...options, which: command.processedArgs[0] } as Given;
    const report = await inDatabase((context) => work(context, given));
    if (json) console.log(JSON.stringify(report.record, null, 2));
    else print(report);
  };
}

async function inDatabase(work: (context: WriteContext) => Promise<Report>): Promise<Report> {
  await using started = new AsyncDisposableStack();
  const config = { ...loadConfig(undefined, { seals: false }), seedDemo: false, logLevel: 'warn' as const };
  const { context } = await layFoundation({ config, publicUrl: '', started, openEmbedded: visitEmbeddedPostgres });
  return await inTransaction(context, work);
}

function print({ answer, note }: Report): void {
  if (note !== undefined) console.error(note);
  if (answer !== undefined) console.log(answer);
}
