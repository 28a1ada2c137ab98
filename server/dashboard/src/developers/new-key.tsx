import type { NewApiKey } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { ShownOnce } from '../kit/shown-once.tsx';

/** Shows a key at the only time at which it can be read. */
export function NewKey({ apiKey, onClose }: { apiKey: NewApiKey; onClose: () => void }): ReactNode {
  return (
    <ShownOnce
      title={apiKey.rolledFrom === null ? 'Your new key' : 'The key that takes over'}
      about="Copy it now and keep it where your program keeps its secrets. It is stored here so that nobody can read it, neither you nor we. The quick start on this page has it until you leave the page."
      value={apiKey.key}
      what="key"
      onClose={onClose}
    />
  );
}
