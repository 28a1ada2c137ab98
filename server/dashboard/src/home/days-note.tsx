import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { useMode } from '../app/use-tillhook.ts';
import { AnchorLink } from '../kit/links.tsx';
import { browserZone, cityOf, isSameZone, knownZone } from '../kit/locale.ts';
import { useMayCall } from '../kit/may-call.tsx';
import { notify } from '../kit/notices.tsx';
import { useServiceMutation } from '../kit/use-service-mutation.ts';

/** Offers the time zone of the browser to a merchant that still has UTC, which is the setting of a new merchant. */
export function DaysNote({ timeZone }: { timeZone: string }): ReactNode {
  const mode = useMode();
  const mayChange = useMayCall('updateSettings');
  const zone = browserZone();
  const saving = useServiceMutation({
    mutate: (tillhook, chosen: string) => tillhook.settings.update({ timeZone: chosen }),
    changes: ['settings', 'statistics', 'audit'],
    onAnswer: () => void notify('Time zone saved.'),
  });
  const isOffered = mayChange && timeZone === 'UTC' && knownZone(zone) !== undefined && !isSameZone('UTC');
  return (
    <>
      {timeZone === 'UTC' ? 'Days are in UTC.' : `Days are in ${cityOf(timeZone)} time.`}{' '}
      {isOffered ? (
        <Anchor
          component="button"
          type="button"
          fz="inherit"
          disabled={saving.isBusy}
          onClick={() => saving.mutate(zone)}
        >
          {`Use ${cityOf(zone)} time`}
        </Anchor>
      ) : (
        mayChange && (
          <AnchorLink to="/$mode/settings" params={{ mode }} search={{ tab: 'business' }} hash="time-zone" fz="inherit">
            Change
          </AnchorLink>
        )
      )}
    </>
  );
}
