import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ListRestart } from 'lucide-react';
import { lazy, type ReactNode, Suspense } from 'react';
import { useMayChange } from '../kit/may-change.tsx';
import { useEndpoints } from './use-endpoints.ts';

const ReplayDialog = lazy(() => import('./replay-dialog.tsx').then((file) => ({ default: file.ReplayDialog })));

/** Opens the dialog that sends again what an endpoint missed. `chosen` is the endpoint that it begins with. */
export function ReplayButton({ chosen }: { chosen?: string | undefined }): ReactNode {
  const [isOpen, { open, close }] = useDisclosure();
  const mayChange = useMayChange();
  const { data } = useEndpoints();
  if (!mayChange || !data || data.total === 0) return null;
  return (
    <>
      <Button variant="default" size="xs" leftSection={<ListRestart size={14} aria-hidden />} onClick={open}>
        Replay missed
      </Button>
      {isOpen && (
        <Suspense>
          <ReplayDialog endpoints={data.webhooks} chosen={chosen} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
