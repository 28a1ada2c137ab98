import { useParams } from '@tanstack/react-router';
import type { Mode, TillhookSession } from '@tillhook/sdk/session';
import { tillhookIn } from './api.ts';

/** The mode that the address names. */
export function useMode(): Mode {
  return useParams({ from: '/$mode', select: ({ mode }) => mode as Mode });
}

/** The client of the service in the mode that the address names. */
export function useTillhook(): TillhookSession {
  return tillhookIn(useMode());
}

/**
 * The command that starts the receiver of this repository. The receiver prints commands with the address of this
 * service.
 * Choice: `server/src/kit/receiver-command.ts` has the same rule for pages of the server, because the dashboard may
 * import only the SDK.
 */
export function useReceiverCommand(): string {
  const { baseUrl } = useTillhook();
  return baseUrl === 'http://localhost:3000' ? 'npm run receiver' : `npm run receiver -- --base-url ${baseUrl}`;
}
