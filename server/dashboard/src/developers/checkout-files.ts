/**
 * The programs of the quick start that create a checkout.
 * See docs/decisions/docs.md, "The quick start is files that run".
 */
import { byPath, type ProgramFiles } from '../kit/program-files.ts';

export const checkoutFiles: ProgramFiles = byPath(
  import.meta.glob<string>(
    ['../../../../docs/quick-start/*/[Cc]heckout.*', '../../../../docs/quick-start/go/checkout/main.go'],
    { query: '?raw', import: 'default', eager: true },
  ),
);
