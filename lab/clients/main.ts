/**
 * `npm run clients`: generates clients from the served document, compiles them, and runs a program with each client.
 * If all clients have already worked with the same inputs, the command does nothing.
 * See docs/decisions/contract.md, "Any client can keep the contract".
 */
import { cache } from './tools.ts';
import { commitTried, fingerprint, keepTried, triedAt } from './tried.ts';

const names = process.argv.slice(2).filter((word) => word !== '--again');
const isWhole = names.length === 0;
const sha256 = fingerprint();
const since = isWhole && !process.argv.includes('--again') ? triedAt(cache, sha256) : null;
if (since) {
  console.log(
    `Clients: nothing to do. All clients worked with the same served document, generators and programs at ${since}.`,
  );
  process.exit(0);
}
if (isWhole) console.log('Clients: no known run has tried this served document, so all clients are tried.');

// The import starts a server, so the module is imported only when it is needed.
const { tryClients } = await import('./try-clients.ts');
const { worked, failed, leftOut } = await tryClients(names);
const counts = `${worked.length} worked, ${failed.length} failed, ${leftOut.length} left out`;
console.log(`Clients: ${counts} (${Math.round(performance.now() / 1000)} s).`);
const isGreen = failed.length === 0 && leftOut.length === 0;
if (isWhole && isGreen) keepTried(cache, sha256);
if (isWhole && isGreen && process.env.CI !== 'true') commitTried(sha256);
// The schedule leaves timers behind, which would keep this process running for minutes.
process.exit(failed.length > 0 || (process.env.CI === 'true' && !isGreen) ? 1 : 0);
