import type { UseQueryResult } from '@tanstack/react-query';
import type { ApiKey } from '@tillhook/sdk/session';
import { useRead } from '../app/use-read.ts';

export interface Keys {
  usable: ApiKey[];
  /** Revoked, or rolled away and over. */
  ended: ApiKey[];
}

/** All keys of the mode: at most 100 can be used, and a merchant has few more that ended. */
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
