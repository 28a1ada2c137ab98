import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { Failure } from './failure.tsx';
import type { ServiceMutation } from './use-service-mutation.ts';

interface SaveRowProps {
  saving: Pick<ServiceMutation<never>, 'error' | 'again' | 'isBusy'>;
  isChanged: boolean;
  label?: string;
  /** Whether a field shows the error already. */
  isErrorShown?: boolean;
}

/** The end of a form that is not in a dialog. */
export function SaveRow({ saving, isChanged, label = 'Save', isErrorShown = false }: SaveRowProps): ReactNode {
  const { error, again, isBusy } = saving;
  return (
    <>
      {error && !isErrorShown && <Failure error={error} onTryAgain={again} />}
      <Group>
        <Button type="submit" loading={isBusy} disabled={!isChanged}>
          {label}
        </Button>
      </Group>
    </>
  );
}
