import type { LiveNeed } from '@tillhook/sdk/session';
import { useRead } from './use-read.ts';
import { useMode } from './use-tillhook.ts';

/** Its query is invalidated by each change in live mode, because many changes meet a need. */
export const liveNeedsKey = 'live-setup';

/** Undefined until the service has answered. */
export function useLiveNeeds({ isEnabled }: { isEnabled: boolean }): readonly LiveNeed[] | undefined {
  const { data } = useRead({
    key: [liveNeedsKey],
    read: (tillhook, options) => tillhook.settings.getLiveSetup(options),
    isEnabled,
  });
  return data?.needs;
}

export type ProcessorNeed = 'payment_processor' | 'payout_processor';

/** True in live mode while the service has no such processor, so that it would refuse the form. */
export function useLacksProcessor(kind: ProcessorNeed | undefined): boolean {
  const isLive = useMode() === 'live';
  const needs = useLiveNeeds({ isEnabled: isLive && kind !== undefined });
  return isLive && (needs?.some((need) => need.kind === kind && !need.isMet) ?? false);
}
