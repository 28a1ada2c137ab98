import { usualServiceUrl } from '@tillhook/openapi/rules/service-address';

/** Returns the command with which a developer starts the receiver of this repository for the service at this URL. */
export function receiverCommand(publicUrl: string): string {
  return publicUrl === usualServiceUrl ? 'npm run receiver' : `npm run receiver -- --base-url ${publicUrl}`;
}
