import { Skeleton, Stack } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import type { Overview } from '@tillhook/sdk/session';
import { type ReactNode, Suspense } from 'react';
import { lazily } from '../app/load-script.tsx';
import { useSession } from '../app/session.ts';
import { useRead } from '../app/use-read.ts';
import { useMode } from '../app/use-tillhook.ts';
import { Loaded } from '../kit/loaded.tsx';
import { Page } from '../kit/page.tsx';
import { LinesSkeleton } from '../kit/page-skeleton.tsx';
import { AttentionList } from './attention-list.tsx';
import { FirstSteps } from './first-steps.tsx';
import { overviewRead, usualDays } from './overview-read.ts';
import { useFirstSteps } from './use-first-steps.ts';

// A new account has nothing to count, so its first page does not load the script of the figures.
const Figures = lazily(async () => (await import('./figures.tsx')).Figures);
const DaysNote = lazily(async () => (await import('./days-note.tsx')).DaysNote);
// `PeriodChoice` measures its labels, which would delay the page, so it is rendered after the rest of the page.
const PeriodChoice = lazily(async () => {
  await nextFrame();
  return (await import('./period-choice.tsx')).PeriodChoice;
});

export function HomePage(): ReactNode {
  const { days = usualDays } = useSearch({ from: '/$mode/' });
  const mode = useMode();
  const overview = useRead({ ...overviewRead(days), keepsPrevious: true, isLive: true, everyMs: 15_000 });
  return (
    <Page
      title="Home"
      actions={
        <Suspense fallback={<Skeleton w={216} h={30} />}>
          <PeriodChoice />
        </Suspense>
      }
    >
      <Loaded read={overview}>{(value) => <Content key={mode} overview={value} />}</Loaded>
    </Page>
  );
}

/** Shows a new account the first steps instead of figures that are all zero. */
function Content({ overview }: { overview: Overview }): ReactNode {
  const steps = useFirstSteps(overview.firstSteps);
  const { merchant } = useSession();
  const { now, before } = overview;
  const isEmpty = now.payments.length + before.payments.length === 0 && (now.deliveries?.created ?? 0) === 0;
  return (
    <Stack gap="lg">
      <AttentionList attention={overview.attention} />
      {steps.isShown && <FirstSteps {...steps} />}
      {!(steps.isShown && isEmpty) && (
        <Suspense fallback={<LinesSkeleton />}>
          <Figures
            overview={overview}
            own={merchant.currency}
            daysNote={
              <Suspense fallback={'\u00a0'}>
                <DaysNote timeZone={overview.timeZone} />
              </Suspense>
            }
          />
        </Suspense>
      )}
    </Stack>
  );
}

/** Resolves when the browser has painted what React is rendering now. */
function nextFrame(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}
