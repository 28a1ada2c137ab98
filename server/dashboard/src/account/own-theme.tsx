import { Radio, Stack } from '@mantine/core';
import type { Theme } from '@tillhook/sdk/session';
import { type ReactNode, useState } from 'react';
import { useSession } from '../app/session.ts';
import { Failure } from '../kit/failure.tsx';
import { Section } from '../kit/section.tsx';
import { useSavePreferences } from './use-save-preferences.ts';

const themes: Record<Theme, string> = { system: 'As this device', light: 'Light', dark: 'Dark' };

export function OwnTheme(): ReactNode {
  const { theme } = useSession().user.display;
  const [chosen, setChosen] = useState<Theme>(theme);
  const saving = useSavePreferences('Your theme is saved, for every browser.');
  const choose = (value: string) => {
    setChosen(value as Theme);
    saving.mutate({ theme: value as Theme });
  };
  return (
    <Section
      title="Theme"
      about="The colours of the dashboard, in every browser in which you sign in. The documentation follows the device."
    >
      <Radio.Group aria-label="Theme" value={chosen} onChange={choose}>
        <Stack gap="xs">
          {Object.entries(themes).map(([value, label]) => (
            <Radio key={value} value={value} label={label} disabled={saving.isBusy && value !== chosen} />
          ))}
        </Stack>
      </Radio.Group>
      {saving.error && <Failure error={saving.error} onTryAgain={saving.again} />}
    </Section>
  );
}
