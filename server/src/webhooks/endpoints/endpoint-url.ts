import type { Context } from '../../context.ts';
import { refusesAddress } from '../../kit/address-policy.ts';
import { invalid } from '../../kit/errors.ts';
import { resolveHost } from '../../kit/resolve-host.ts';
import { checkWebAddress, hostOf, refusedAddress } from '../../kit/web-address.ts';

const resolveWithinMs = 1000;

/**
 * Throws `invalid_url` for an address that the sender of deliveries would refuse too.
 * Choice: a host name that does not resolve within a second is accepted, because its
 * DNS record may not exist yet; the sender checks every connection again.
 */
export async function checkEndpointUrl(context: Context, address: string): Promise<void> {
  checkWebAddress('url', address, { withoutFragment: true });
  const answers = await resolveHost(hostOf(new URL(address)), resolveWithinMs).catch(() => []);
  if (answers.some((answer) => refusesAddress(answer.address, context.config.webhookAllowCidrs))) {
    throw invalid('invalid_url', 'url', refusedAddress);
  }
}
