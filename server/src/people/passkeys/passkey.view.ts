import type { Passkey as PasskeyRecord } from '@tillhook/openapi';
import type { Passkey } from './passkey.entity.ts';

export function passkeyView({ id, name, createdAt, lastUsedAt, copySeenAt }: Passkey): PasskeyRecord {
  return {
    id,
    name,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    copySeenAt: copySeenAt?.toISOString() ?? null,
  };
}
