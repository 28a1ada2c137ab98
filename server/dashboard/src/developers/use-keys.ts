import type { UseQueryResult } from '@tanstack/react-query';
import type { ApiKey } from '@tillhook/sdk/session';
import { useRead } from '../app/use-read.ts';

export interface Keys {
  usable: ApiKey[];
  /** Keys that were revoked, and keys that were rolled and have expired. */
  ended: ApiKey[];
}

/** All keys of the mode. At most 100 keys are active, and few keys of a merchant have ended. */
const most = 1_000;

export function useKeys(): UseQueryResult<Keys> {
  return useRead({
    key: ['apiKeys'],
    read: async (tillhook, options) => {
      const keys = await tillhook.apiKeys.list({ limit: 100 }, options).toArray({ max: most });
      return { usable: keys.filter((key) => !isOver(key)), ended: keys.filter(isOver) };
    },
  });
}

function isOver({ revokedAt, expiresAt }: ApiKey): boolean {
  return revokedAt !== null || (expiresAt !== null && Date.parse(expiresAt) <= Date.now());
}
