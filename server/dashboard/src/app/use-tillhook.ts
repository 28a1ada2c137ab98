import { useParams } from '@tanstack/react-router';
import type { Mode, TillhookSession } from '@tillhook/sdk/session';
import { tillhookIn } from './api.ts';

export function useMode(): Mode {
  return useParams({ from: '/$mode', select: ({ mode }) => mode as Mode });
}

export function useTillhook(): TillhookSession {
  return tillhookIn(useMode());
}

/**
 * Choice: `server/src/kit/receiver-command.ts` has a copy of this function, because the dashboard may import only the
 * SDK.
 */
export function useReceiverCommand(): string {
  const { baseUrl } = useTillhook();
  return baseUrl === 'http://localhost:3000' ? 'npm run receiver' : `npm run receiver -- --base-url ${baseUrl}`;
}
