import type { CreatedApiKey } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { ShownOnce } from '../kit/shown-once.tsx';

/** Shows a key at the only time at which it can be read. */
export function NewKey({ apiKey, onClose }: { apiKey: CreatedApiKey; onClose: () => void }): ReactNode {
  return (
    <ShownOnce
      title={apiKey.rolledFrom === null ? 'Your new key' : 'The key that takes over'}
      about="Copy it now and keep it where your program keeps its secrets. The service does not store it in readable form, so it cannot be shown again. The quick start on this page contains it until you leave the page."
      value={apiKey.key}
      what="key"
      onClose={onClose}
    />
  );
}
