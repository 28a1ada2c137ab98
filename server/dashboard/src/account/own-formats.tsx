import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { DisplayLanguage, DisplayPreferences } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { useSession } from '../app/session.ts';
import { Failure } from '../kit/failure.tsx';
import { fieldProblems } from '../kit/field-problems.ts';
import { browserLanguage, browserZone, latin } from '../kit/locale.ts';
import { Section } from '../kit/section.tsx';
import { languages, zoneGroups } from './format-options.ts';
import { useSavePreferences } from './use-save-preferences.ts';

/** In the fields, the empty text stands for null, which is the choice of the browser. */
const valuesOf = ({ timeZone, language }: DisplayPreferences) => ({
  timeZone: timeZone ?? '',
  language: language ?? '',
});

export function OwnFormats(): ReactNode {
  const { display } = useSession().user;
  const form = useForm({ initialValues: valuesOf(display) });
  const saving = useSavePreferences('The pages now write dates and numbers as you chose.');
  const problems = fieldProblems(saving.error);
  const { timeZone, language } = form.values;
  const isSaved = timeZone === (display.timeZone ?? '') && language === (display.language ?? '');
  const submit = form.onSubmit(() =>
    saving.mutate({ timeZone: timeZone || null, language: (language || null) as DisplayLanguage }),
  );
  return (
    <Section
      title="Dates and numbers"
      about="How lists, filters and records write them. The charts of Home keep the days of UTC."
    >
      <form onSubmit={submit}>
        <Stack gap="sm" maw={380}>
          <NativeSelect
            label="Time zone"
            data={[{ value: '', label: `As this browser: ${browserZone()}` }, ...zoneGroups(display.timeZone)]}
            disabled={saving.isBusy}
            {...form.getInputProps('timeZone')}
            error={problems.timeZone}
          />
          <NativeSelect
            label="Language of dates and numbers"
            description="The words of the dashboard stay English."
            data={[{ value: '', label: `As this browser: ${browserLanguage()}` }, ...languages]}
            disabled={saving.isBusy}
            {...form.getInputProps('language')}
            error={problems.language}
          />
          <Text size="sm">
            Example: <bdi>{example(timeZone || browserZone(), language || browserLanguage())}</bdi>
          </Text>
          {saving.error && Object.keys(problems).length === 0 && (
            <Failure error={saving.error} onTryAgain={saving.again} />
          )}
          <Group>
            <Button type="submit" loading={saving.isBusy} disabled={isSaved}>
              Save the formats
            </Button>
          </Group>
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
