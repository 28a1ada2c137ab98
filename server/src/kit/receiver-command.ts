import { usualServiceUrl } from '@tillhook/openapi/rules/service-address';

/** How a developer starts the receiver of this repository, so that the command that it prints has the address of this service. */
export function receiverCommand(publicUrl: string): string {
  return publicUrl === usualServiceUrl ? 'npm run receiver' : `npm run receiver -- --base-url ${publicUrl}`;
}
