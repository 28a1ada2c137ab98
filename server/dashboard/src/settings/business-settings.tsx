import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import type { Settings } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { sessionQuery } from '../app/session.ts';
import { useRead } from '../app/use-read.ts';
import { Facts } from '../kit/facts.tsx';
import { Failure } from '../kit/failure.tsx';
import { fieldProblems } from '../kit/field-problems.ts';
import { Loaded } from '../kit/loaded.tsx';
import { ReadOnlyNote, useMayChange } from '../kit/may-change.tsx';
import { ExactMoment } from '../kit/moment.tsx';
import { Money } from '../kit/money.tsx';
import { notify } from '../kit/notices.tsx';
import { Section } from '../kit/section.tsx';
import { useAsk } from '../kit/use-ask.ts';

/** What customers see, and what is fixed. */
export function BusinessSettings(): ReactNode {
  const settings = useRead({ key: ['settings'], read: (tillhook, options) => tillhook.settings.get(options) });
  return (
    <Stack gap="lg">
      <Loaded read={settings}>
        {(present) => (
          <>
            <Section
              title="What customers see"
              about="On the page where they pay, in both modes, from the moment you save."
            >
              <BrandForm settings={present} />
            </Section>
            <Section title="What is fixed">
              <Fixed {...present} />
            </Section>
          </>
        )}
      </Loaded>
    </Stack>
  );
}

function BrandForm({ settings }: { settings: Settings }): ReactNode {
  const mayChange = useMayChange();
  const queryClient = useQueryClient();
  const form = useForm({ initialValues: { name: settings.name } });
  const saving = useAsk({
    ask: (tillhook, { name }: typeof form.values) => tillhook.settings.update({ name: name.trim() }),
    changes: ['settings', 'audit'],
    onAnswer: ({ name }) => {
      form.setInitialValues({ name });
      form.reset();
      void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
      void notify('The settings are saved.');
    },
  });
  const problems = fieldProblems(saving.error);
  return (
    <form onSubmit={form.onSubmit((typed) => saving.ask(typed))}>
      <Stack gap="sm">
        <ReadOnlyNote what="change it" />
        <TextInput
          label="Name"
          maxLength={120}
          required
          withAsterisk={false}
          dir="auto"
          disabled={!mayChange}
          {...form.getInputProps('name')}
          error={problems.name}
        />
        {saving.error && !('name' in problems) && <Failure error={saving.error} onTryAgain={saving.again} />}
        {mayChange && (
          <Group>
            <Button type="submit" loading={saving.isBusy} disabled={!form.isDirty()}>
              Save
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}

function Fixed({ currency, transferFee, createdAt }: Settings): ReactNode {
  return (
    <Facts
      facts={[
        [
          'Currency',
          `${currency}. It cannot change, because payments and balances that exist are in it. A checkout may name another one.`,
        ],
        [
          'Fee of a transfer',
          <>
            <Money amount={transferFee} currency={currency} />. Whoever runs this service sets it.
          </>,
        ],
        ['With us since', <ExactMoment key="since" at={createdAt} />],
      ]}
    />
  );
}
