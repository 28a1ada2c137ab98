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
