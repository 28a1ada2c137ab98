import { Modal, type ModalProps } from '@mantine/core';
import { type ReactNode, type RefObject, useLayoutEffect } from 'react';

/** A dialog, which gives the focus back when it closes. */
export function Dialog(props: ModalProps): ReactNode {
  useFocusBack(props.opened);
  return <Modal returnFocus={false} closeButtonProps={{ 'aria-label': 'Close' }} {...props} />;
}

/**
 * Gives the focus back to the element that had it when a dialog or menu was opened, or to the one that is given. The
 * library does so only for what was there before it was opened and stays there afterwards. Most dialogs are not: their
 * script is loaded when they are first opened, or they are removed when they close.
 */
export function useFocusBack(isOpen: boolean, given?: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    if (!isOpen) return;
    // A dialog that takes the place of another one leads back to where that one was opened.
    const opener = document.activeElement === document.body ? lastOpener : document.activeElement;
    return () => {
      lastOpener = opener;
      const focusedAtEnd = document.activeElement;
      // What is clicked beside a menu has the focus by then, and keeps it.
      setTimeout(() => {
        const { activeElement, body } = document;
        if (activeElement === body || activeElement === focusedAtEnd) focus(given?.current ?? opener);
        // By now, a dialog that takes the place of this one is open. A later one has its own opener.
        lastOpener = null;
      }, 10);
    };
  }, [isOpen, given]);
}

let lastOpener: Element | null = null;

/** When the element is not there any more, such as the button that removed its own record, the page gets the focus. */
function focus(wanted: Element | null): void {
  const isThere = wanted instanceof HTMLElement && wanted.isConnected && wanted !== document.body;
  if (isThere) wanted.focus({ preventScroll: true });
  if (document.activeElement !== wanted) document.querySelector('main')?.focus({ preventScroll: true });
}
