import { useQueryClient } from '@tanstack/react-query';
import type { PreferencesUpdate } from '@tillhook/sdk/session';
import { showAsChosen } from '../app/display.ts';
import { sessionQuery } from '../app/session.ts';
import { notify } from '../kit/notices.tsx';
import { type ServiceMutation, useServiceMutation } from '../kit/use-service-mutation.ts';

/** Saves the given preferences and keeps the others. The pages follow them at once. */
export function useSavePreferences(savedWords: string): ServiceMutation<PreferencesUpdate> {
  const queryClient = useQueryClient();
  return useServiceMutation({
    mutate: (tillhook, chosen: PreferencesUpdate) => tillhook.user.updatePreferences(chosen),
    changes: ['preferences', 'audit'],
    onAnswer: ({ name, theme, timeZone, language }, chosen) => {
      const display = { theme, timeZone, language };
      showAsChosen(display, chosen.theme !== undefined);
      queryClient.setQueryData(
        sessionQuery.queryKey,
        (session) => session && { ...session, user: { ...session.user, name, display } },
      );
      void notify(savedWords);
    },
  });
}
