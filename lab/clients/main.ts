/**
 * `npm run clients`: generates clients from the document that the server gives to others, compiles them, and runs one
 * program with each: directly, and through a proxy that answers like a later version of the service. It ends with 1 when
 * a client fails. With CI=true, a missing toolchain is a failure too. When all clients worked with the same document
 * before, it does nothing; `npm run clients -- --again` tries them all the same.
 * See docs/decisions/contract.md, "Any client can keep the contract".
 */
import { fingerprint, isTried, keepTried } from './tried.ts';

const names = process.argv.slice(2).filter((word) => word !== '--again');
const isWhole = names.length === 0;
const sha256 = fingerprint();
if (isWhole && !process.argv.includes('--again') && isTried(sha256)) {
  console.log(
    'All clients worked with this document, these generators and these programs. Nothing has to be tried again.',
  );
  process.exit(0);
}

// Loaded only here, because it starts a server.
const { tryClients } = await import('./try-clients.ts');
const { worked, failed, leftOut } = await tryClients(names);
const counts = `${worked.length} worked, ${failed.length} failed, ${leftOut.length} left out`;
console.log(`Clients: ${counts} (${Math.round(performance.now() / 1000)} s).`);
const isGreen = failed.length === 0 && leftOut.length === 0;
if (isWhole && isGreen) keepTried(sha256, worked.toSorted());
// The schedule leaves timers, which would keep this process alive for minutes.
process.exit(failed.length > 0 || (process.env.CI === 'true' && !isGreen) ? 1 : 0);
