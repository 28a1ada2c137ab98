import { Modal, type ModalProps } from '@mantine/core';
import { type ReactNode, type RefObject, useLayoutEffect } from 'react';

/** A dialog, which gives the focus back when it closes. */
export function Dialog(props: ModalProps): ReactNode {
  useFocusBack(props.opened);
  return <Modal returnFocus={false} closeButtonProps={{ 'aria-label': 'Close' }} {...props} />;
}

/**
 * Gives the focus back to `given`, or to the element that had it when the dialog or menu was opened. The library does
 * so only for a dialog that is mounted before it opens and after it closes. Most dialogs are not: their script is
 * loaded when they are first opened, or they are removed when they close.
 */
export function useFocusBack(isOpen: boolean, given?: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    if (!isOpen) return;
    // A dialog that replaces another one gives the focus back to the opener of the first.
    const opener = document.activeElement === document.body ? lastOpener : document.activeElement;
    return () => {
      lastOpener = opener;
      const focusedAtEnd = document.activeElement;
      // When the user clicks outside the menu, the clicked element already has the focus and keeps it.
      setTimeout(() => {
        const { activeElement, body } = document;
        if (activeElement === body || activeElement === focusedAtEnd) focus(given?.current ?? opener);
        // A dialog that replaces this one is open by now. A later dialog has its own opener.
        lastOpener = null;
      }, 10);
    };
  }, [isOpen, given]);
}

let lastOpener: Element | null = null;

/** If the element no longer exists, such as the button that removed its own record, the page gets the focus. */
function focus(wanted: Element | null): void {
  const isThere = wanted instanceof HTMLElement && wanted.isConnected && wanted !== document.body;
  if (isThere) wanted.focus({ preventScroll: true });
  if (document.activeElement !== wanted) document.querySelector('main')?.focus({ preventScroll: true });
}
