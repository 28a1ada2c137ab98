import type { ReactNode } from 'react';
import { useMode } from '../app/use-tillhook.ts';
import { AnchorLink } from '../kit/links.tsx';

/**
 * Opens a new tab, because the content of the form would be lost. When the user comes back to this tab, the wallet is
 * read again.
 */
export function TopUpLink(): ReactNode {
  return (
    <>
      Top it up on the page{' '}
      <AnchorLink to="/$mode/balances" params={{ mode: useMode() }} target="_blank" inherit>
        Balances (new tab)
      </AnchorLink>
      .
    </>
  );
}
