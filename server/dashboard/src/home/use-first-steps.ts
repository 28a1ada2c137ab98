import { useLocalStorage } from '@mantine/hooks';
import type { Overview } from '@tillhook/sdk/session';
import { useEffect } from 'react';
import { useSession } from '../app/session.ts';
import { useMode } from '../app/use-tillhook.ts';
import { useMayCall } from '../kit/may-call.tsx';

type Progress = 'unseen' | 'begun' | 'verified' | 'hidden';

export interface FirstStepsState {
  isShown: boolean;
  taken: Overview['firstSteps'] & { signatureVerified: boolean };
  onVerified: () => void;
  onHide: () => void;
}

/**
 * The progress is stored in this browser: whether the user has begun, and whether the merchant's own program has
 * verified a signature, which is the last step. Home shows the steps until all are done.
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
  const isNew = !Object.values(known).every(Boolean);
  const mayShow = mode === 'test' && mayPay && mayReceive && progress !== 'hidden';
  const isShown = mayShow && (progress !== 'unseen' || isNew);
  useEffect(() => {
    if (isShown && progress === 'unseen') setProgress('begun');
  }, [isShown, progress, setProgress]);
  return {
    isShown,
    taken: { ...known, signatureVerified: progress === 'verified' },
    onVerified: () => setProgress('verified'),
    onHide: () => setProgress('hidden'),
  };
}
