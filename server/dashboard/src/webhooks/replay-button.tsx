import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, Suspense } from 'react';
import { lazily } from '../app/load-script.tsx';
import { ListRestart } from '../kit/icons.tsx';
import { useMayCall } from '../kit/may-call.tsx';
import { useEndpoints } from './use-endpoints.ts';

const ReplayDialog = lazily(async () => (await import('./replay-dialog.tsx')).ReplayDialog);

/** `chosen` is the endpoint that the dialog preselects. */
export function ReplayButton({ chosen }: { chosen?: string | undefined }): ReactNode {
  const [isOpen, { open, close }] = useDisclosure();
  const mayChange = useMayCall('replayDeliveries');
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
