import { NativeSelect, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { DisplayLanguage, DisplayPreferences, Theme } from '@tillhook/sdk/session';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useSession } from '../app/session.ts';
import { Failure } from '../kit/failure.tsx';
import { fieldProblems } from '../kit/field-problems.ts';
import { browserLanguage, browserZone, latin } from '../kit/locale.ts';
import { SaveRow } from '../kit/save-row.tsx';
import { Section } from '../kit/section.tsx';
import { zoneGroups } from '../kit/time-zones.ts';
import { languageGroups, languageName } from './format-options.ts';
import { useSavePreferences } from './use-save-preferences.ts';

export function Profile(): ReactNode {
  return (
    <>
      <OwnName />
      <OwnTheme />
      <OwnFormats />
    </>
  );
}

function OwnName(): ReactNode {
  const { name } = useSession().user;
  const [typed, setTyped] = useState(name ?? '');
  const saving = useSavePreferences('Name saved.');
  const problem = fieldProblems(saving.error).name;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate({ name: typed.trim() || null });
  };
  return (
    <Section title="Name" about="Your team sees it next to your email.">
      <form onSubmit={submit}>
        <Stack gap="sm" maw={380}>
          <TextInput
            label="Your name"
            autoComplete="name"
            dir="auto"
            maxLength={120}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            readOnly={saving.isBusy}
            error={problem}
          />
          <SaveRow
            saving={saving}
            isChanged={typed.trim() !== (name ?? '')}
            label="Save name"
            isErrorShown={problem !== undefined}
          />
        </Stack>
      </form>
    </Section>
  );
}

const themes: Record<Theme, string> = { system: 'Same as this device', light: 'Light', dark: 'Dark' };

function OwnTheme(): ReactNode {
  const { theme } = useSession().user.display;
  const [chosen, setChosen] = useState<Theme>(theme);
  const saving = useSavePreferences('Theme saved.');
  const choose = (value: string) => {
    setChosen(value as Theme);
    saving.mutate({ theme: value as Theme });
  };
  return (
    <Section
      title="Theme"
      about="Applies in every browser where you sign in. The documentation in this browser follows it."
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

/** In the fields, the empty text stands for null, which is the choice of the browser. */
const valuesOf = ({ timeZone, language }: DisplayPreferences) => ({
  timeZone: timeZone ?? '',
  language: language ?? '',
});

function OwnFormats(): ReactNode {
  const { display } = useSession().user;
  const form = useForm({ initialValues: valuesOf(display) });
  const saving = useSavePreferences('Language and time zone saved.');
  const problems = fieldProblems(saving.error);
  const { timeZone, language } = form.values;
  const isSaved = timeZone === (display.timeZone ?? '') && language === (display.language ?? '');
  const submit = form.onSubmit(() =>
    saving.mutate({ timeZone: timeZone || null, language: (language || null) as DisplayLanguage }),
  );
  return (
    <Section
      title="Language and time zone"
      about="Used in lists, filters, records and emails to you. Figures on Home use the time zone of your business."
    >
      <form onSubmit={submit}>
        <Stack gap="sm" maw={380}>
          <NativeSelect
            label="Time zone"
            description="Emails to you use UTC until you choose a time zone."
            data={[{ value: '', label: `Same as this browser: ${browserZone()}` }, ...zoneGroups(display.timeZone)]}
            disabled={saving.isBusy}
            {...form.getInputProps('timeZone')}
            error={problems.timeZone}
          />
          <NativeSelect
            label="Language"
            data={[
              { value: '', label: `Same as this browser: ${languageName(browserLanguage())}` },
              ...languageGroups(),
            ]}
            disabled={saving.isBusy}
            {...form.getInputProps('language')}
            error={problems.language}
          />
          <Text size="sm">
            Example: <bdi>{example(timeZone || browserZone(), language || browserLanguage())}</bdi>
          </Text>
          <SaveRow saving={saving} isChanged={!isSaved} label="Save" isErrorShown={Object.keys(problems).length > 0} />
        </Stack>
      </form>
    </Section>
  );
}

function example(timeZone: string, language: string): string {
  const locale = latin(language);
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'long', timeZone });
  return `${date.format(new Date())} · ${new Intl.NumberFormat(locale).format(1_234_567.89)}`;
}
