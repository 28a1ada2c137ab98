/**
 * A separate script has the source code of the receivers, so that only pages that show a receiver load it.
 * See docs/decisions/docs.md, "The quick start is files that run".
 */
import { byPath, type ProgramFiles } from './program-files.ts';

export const receiverFiles: ProgramFiles = byPath(
  import.meta.glob<string>(
    ['../../../../docs/quick-start/*/[Rr]eceiver.*', '../../../../docs/quick-start/go/receiver/main.go'],
    { query: '?raw', import: 'default', eager: true },
  ),
);
