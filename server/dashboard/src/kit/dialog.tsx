import { Modal, type ModalProps } from '@mantine/core';
import { type ReactNode, type RefObject, useLayoutEffect } from 'react';

export function Dialog(props: ModalProps): ReactNode {
  useFocusBack(props.opened);
  return <Modal returnFocus={false} closeButtonProps={{ 'aria-label': 'Close' }} {...props} />;
}

/**
 * Mantine moves the focus back only for a dialog that stays mounted while it is closed, and most dialogs do not stay
 * mounted.
 */
export function useFocusBack(isOpen: boolean, given?: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    if (!isOpen) return;
    // A dialog that replaces another dialog gives the focus back to the opener of the first dialog.
    const opener = document.activeElement === document.body ? lastOpener : document.activeElement;
    return () => {
      lastOpener = opener;
      const focusedAtEnd = document.activeElement;
      // When the user has clicked outside the menu, the clicked element already has the focus and keeps it.
      setTimeout(() => {
        const { activeElement, body } = document;
        if (activeElement === body || activeElement === focusedAtEnd) focus(given?.current ?? opener);
        // A dialog that replaces this dialog has read `lastOpener` by now. Dialogs that open later have their own opener.
        lastOpener = null;
      }, 10);
    };
  }, [isOpen, given]);
}

let lastOpener: Element | null = null;

/** Focuses the page when `wanted` no longer exists, such as the button of a record that the user has deleted. */
function focus(wanted: Element | null): void {
  const isThere = wanted instanceof HTMLElement && wanted.isConnected && wanted !== document.body;
  if (isThere) wanted.focus({ preventScroll: true });
  if (document.activeElement !== wanted) document.querySelector('main')?.focus({ preventScroll: true });
}
