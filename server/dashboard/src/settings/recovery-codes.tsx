import type { ReactNode } from 'react';
import { ShownOnce } from '../kit/shown-once.tsx';

interface RecoveryCodesProps {
  title: string;
  codes: readonly string[];
  onClose: () => void;
}

/** Shows ten codes with which the user can sign in without the phone. */
export function RecoveryCodes({ title, codes, onClose }: RecoveryCodesProps): ReactNode {
  return (
    <ShownOnce
      title={title}
      about="Without your phone, each of these recovery codes lets you in once. Keep them where your phone is not. They are shown only now."
      value={codes.join('\n')}
      what="recovery codes"
      isSeveral
      fileName="tillhook-recovery-codes.txt"
      onClose={onClose}
    />
  );
}
