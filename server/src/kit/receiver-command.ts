import { usualServiceUrl } from '@tillhook/openapi/rules/service-address';

export function receiverCommand(publicUrl: string): string {
  return publicUrl === usualServiceUrl ? 'npm run receiver' : `npm run receiver -- --base-url ${publicUrl}`;
}
