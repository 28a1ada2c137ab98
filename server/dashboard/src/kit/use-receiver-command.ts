import { useTillhook } from '../app/use-tillhook.ts';

/**
 * How a developer starts the receiver of this repository, so that the commands that it prints have the address of this service.
 * Choice: `server/src/kit/receiver-command.ts` says the same for pages of the server, because the dashboard knows only the SDK.
 */
export function useReceiverCommand(): string {
  const { baseUrl } = useTillhook();
  return baseUrl === 'http://localhost:3000' ? 'npm run receiver' : `npm run receiver -- --base-url ${baseUrl}`;
}
