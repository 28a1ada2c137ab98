/** The server of the flows that are cut, and the proxy through which it reaches its database. It runs no jobs. */
import { callOnce } from '../../calls/call-once.ts';
import { createScene } from '../../database/crash.ts';
import { startStatementCutter } from '../../database/statement-cutter.ts';
import { findPostgres } from '../../run/shared.ts';
import { ownServerForFile } from '../../server/tillhook.ts';

export const cutter = await startStatementCutter(await findPostgres());
export const server = ownServerForFile({ ROLE: 'api', PAYOUT_PROCESSOR: 'manual' }, cutter.reach);
export const scene = createScene(server, cutter);
export const post = callOnce(server);
