import { createHash } from 'node:crypto';
import type { Context, WithPrincipal, WriteContext } from '../../context.ts';
import { invalid } from '../../kit/errors.ts';
import { run } from '../../platform/database/statement.ts';
import type { Merchant } from '../merchants/merchant.entity.ts';
import { MerchantLogo } from './merchant-logo.entity.ts';
import { reencodeImage } from './reencode-image.ts';

const maxBytes = 256 * 1024;

export async function makeLogo({ principal }: WithPrincipal, base64: string): Promise<Uint8Array> {
  const file = Buffer.from(base64, 'base64');
  if (file.length > maxBytes) throw invalid('invalid_parameter', 'image', `must have at most ${maxBytes / 1024} KiB`);
  const made = await reencodeImage(file, principal.merchantId);
  if ('problem' in made) throw invalid('invalid_parameter', 'image', made.problem);
  return made.png;
}

export async function saveLogo(tx: WriteContext, merchant: Merchant, png: Uint8Array): Promise<void> {
  const hash = createHash('sha256').update(png).digest('hex');
  await run(tx)`
    insert into merchant_logo (merchant_id, hash, png, created_at)
    values (${merchant.id}, ${hash}, ${Buffer.from(png)}, ${tx.clock.now()})
    on conflict (merchant_id) do update set hash = excluded.hash, png = excluded.png, created_at = excluded.created_at`;
  merchant.logoHash = hash;
}

export async function removeLogo(tx: WriteContext, merchant: Merchant): Promise<void> {
  await run(tx)`delete from merchant_logo where merchant_id = ${merchant.id}`;
  merchant.logoHash = null;
}

/** The hash need not be unique, because two merchants may have the same picture. */
export async function findLogo({ em }: Context, hash: string): Promise<Uint8Array | null> {
  const logo = await em.findOne(MerchantLogo, { hash });
  return logo?.png ?? null;
}
