/**
 * `npm run clients`: generates clients from the served document, compiles them, and runs one program with each: directly, and
 * through a proxy that answers like a later version of the service. It ends with 1 when a client fails and, with CI=true, when
 * a toolchain is missing. When all clients worked with the same document before, it does nothing;
 * `npm run clients -- --again` tries them all the same.
 * See docs/decisions/contract.md, "Any client can keep the contract".
 */
import { cache } from './tools.ts';
import { fingerprint, keepTried, triedAt } from './tried.ts';

const names = process.argv.slice(2).filter((word) => word !== '--again');
const isWhole = names.length === 0;
const sha256 = fingerprint();
const since = isWhole && !process.argv.includes('--again') ? triedAt(cache, sha256) : null;
if (since) {
  console.log(
    `Clients: the served document, the generators and the programs are those with which all clients worked at ${since}.`,
  );
  process.exit(0);
}
if (isWhole) console.log('Clients: this machine has not tried this served document, so all clients are tried.');

// Loaded only here, because it starts a server.
const { tryClients } = await import('./try-clients.ts');
const { worked, failed, leftOut } = await tryClients(names);
const counts = `${worked.length} worked, ${failed.length} failed, ${leftOut.length} left out`;
console.log(`Clients: ${counts} (${Math.round(performance.now() / 1000)} s).`);
const isGreen = failed.length === 0 && leftOut.length === 0;
if (isWhole && isGreen) keepTried(cache, sha256);
// The schedule leaves timers, which would keep this process alive for minutes.
process.exit(failed.length > 0 || (process.env.CI === 'true' && !isGreen) ? 1 : 0);
