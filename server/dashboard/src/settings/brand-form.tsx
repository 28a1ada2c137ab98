import { ColorInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import type { Settings } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { tokenColours } from '../../../look/accent.ts';
import { sessionQuery } from '../app/session.ts';
import { fieldProblems } from '../kit/field-problems.ts';
import { ReadOnlyNote, useMayCall } from '../kit/may-call.tsx';
import { notify } from '../kit/notices.tsx';
import { SaveRow } from '../kit/save-row.tsx';
import { useServiceMutation } from '../kit/use-service-mutation.ts';
import { BrandPreview } from './brand-preview.tsx';
import { HelpFields, helpOf, helpValuesOf } from './help-fields.tsx';
import { LogoField, pathOf } from './logo-field.tsx';

const usual = tokenColours.light;
const otherColours = ['#1f4fbf', '#6d28d9', '#be123c', '#9a3412'];

const valuesOf = (settings: Settings) => ({
  name: settings.name,
  colour: settings.colour ?? '',
  ...helpValuesOf(settings),
});

/** While the form is being saved its fields are read-only, because the response replaces their values. */
export function BrandForm({ settings }: { settings: Settings }): ReactNode {
  const mayChange = useMayCall('updateSettings');
  const queryClient = useQueryClient();
  const form = useForm({ initialValues: valuesOf(settings) });
  const saving = useServiceMutation({
    mutate: (tillhook, { name, colour, ...help }: typeof form.values) =>
      tillhook.settings.update({ name: name.trim(), colour: colour.trim() || null, ...helpOf(help) }),
    changes: ['settings', 'audit'],
    onAnswer: (saved) => {
      form.setInitialValues(valuesOf(saved));
      form.reset();
      void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
      void notify('Settings saved.');
    },
  });
  const problems = fieldProblems(saving.error);
  return (
    <form onSubmit={form.onSubmit((typed) => saving.mutate(typed))}>
      <Stack gap="sm" maw={520}>
        <ReadOnlyNote what="change it" operations={['updateSettings']} />
        <TextInput
          label="Name"
          maxLength={120}
          required
          withAsterisk={false}
          dir="auto"
          disabled={!mayChange}
          readOnly={saving.isBusy}
          {...form.getInputProps('name')}
          error={problems.name}
        />
        <LogoField logoUrl={settings.logoUrl} />
        <ColorInput
          label="Colour"
          description="Text on it is black or white, whichever is easier to read. Without a colour, buttons are green."
          placeholder={usual.accent}
          format="hex"
          // Choice: a few colours and no colour picker, because the picker's sliders have no accessible names.
          withPicker={false}
          // An invalid colour stays in the field with its error message, and is not replaced by the previous colour.
          fixOnBlur={false}
          swatches={[usual.accent, ...otherColours, usual.text]}
          closeOnColorSwatchClick
          popoverProps={{ withinPortal: false }}
          disabled={!mayChange}
          readOnly={saving.isBusy}
          eyeDropperButtonProps={{ 'aria-label': 'Pick a colour from the screen' }}
          {...form.getInputProps('colour')}
          error={problems.colour}
        />
        <BrandPreview {...form.values} logo={settings.logoUrl && pathOf(settings.logoUrl)} />
        <HelpFields form={form} problems={problems} disabled={!mayChange} readOnly={saving.isBusy} />
        {mayChange && (
          <SaveRow saving={saving} isChanged={form.isDirty()} isErrorShown={Object.keys(problems).length > 0} />
        )}
      </Stack>
    </form>
  );
}
