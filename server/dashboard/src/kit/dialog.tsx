import { Modal, type ModalProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { useFocusBack } from './use-focus-back.ts';

/** A dialog, which gives the focus back when it closes. */
export function Dialog(props: ModalProps): ReactNode {
  useFocusBack(props.opened);
  return <Modal returnFocus={false} closeButtonProps={{ 'aria-label': 'Close' }} {...props} />;
}
