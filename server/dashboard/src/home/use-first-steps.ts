import { useLocalStorage } from '@mantine/hooks';
import type { Overview } from '@tillhook/sdk/session';
import { useState } from 'react';
import { useSession } from '../app/session.ts';
import { useMode } from '../app/use-tillhook.ts';
import { useMayCall } from '../kit/may-call.tsx';

type Progress = 'unseen' | 'verified' | 'hidden';

export interface FirstStepsState {
  isShown: boolean;
  taken: Overview['firstSteps'] & { signatureVerified: boolean };
  onVerified: () => void;
  onHide: () => void;
}

/**
 * The service knows which steps are done. This browser keeps whether the merchant's own program has verified a
 * signature, and whether the user has hidden the list. A list that is finished stays until the user opens Home again.
 */
export function useFirstSteps(known: Overview['firstSteps']): FirstStepsState {
  const { merchant } = useSession();
  const mode = useMode();
  const mayPay = useMayCall('createCheckout');
  const mayReceive = useMayCall('registerWebhookEndpoint');
  const [progress, setProgress] = useLocalStorage<Progress>({
    key: `tillhook-first-steps-${merchant.id}`,
    defaultValue: 'unseen',
    getInitialValueInEffect: false,
  });
  const { isEstablished, ...steps } = known;
  const [wasOpen] = useState(!isEstablished && !Object.values(steps).every(Boolean));
  return {
    isShown: mode === 'test' && mayPay && mayReceive && wasOpen && progress !== 'hidden',
    taken: { ...known, signatureVerified: progress === 'verified' },
    onVerified: () => setProgress('verified'),
    onHide: () => setProgress('hidden'),
  };
}
