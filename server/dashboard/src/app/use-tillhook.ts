import { useParams } from '@tanstack/react-router';
import type { Mode, TillhookSession } from '@tillhook/sdk/session';
import { tillhookIn } from './api.ts';

/** Returns the mode that the page's address names. */
export function useMode(): Mode {
  return useParams({ from: '/$mode', select: ({ mode }) => mode as Mode });
}

/** Returns the client for the mode that the page's address names. */
export function useTillhook(): TillhookSession {
  return tillhookIn(useMode());
}

/**
 * Returns the command that starts the receiver of this repository. The receiver prints commands that contain the
 * address of this service.
 * Choice: `server/src/kit/receiver-command.ts` has a copy of this function for pages of the server, because the
 * dashboard may import only the SDK.
 */
export function useReceiverCommand(): string {
  const { baseUrl } = useTillhook();
  return baseUrl === 'http://localhost:3000' ? 'npm run receiver' : `npm run receiver -- --base-url ${baseUrl}`;
}
