import { Checkbox, Radio, Stack, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { type ReactNode, useEffect } from 'react';
import { fieldProblems } from '../kit/field-problems.ts';
import { eventWords, type Subscription, subscribableEvents } from './subscription.ts';

export interface TypedEndpoint extends Subscription {
  url: string;
}

export type EndpointForm = UseFormReturnType<TypedEndpoint>;

export function useEndpointForm(initialValues: TypedEndpoint): EndpointForm {
  return useForm<TypedEndpoint>({
    initialValues,
    validate: {
      url: (url) => (url.trim() === '' ? 'Enter the address of your receiver.' : null),
      events: (events, { isEvery }) => (isEvery === 'no' && events.length === 0 ? 'Choose at least one event.' : null),
    },
  });
}

/** Returns true if the API returned an error for one of the fields. */
export function useEndpointProblems(form: EndpointForm, error: Error | null): boolean {
  const problems = endpointProblems(error);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each response; typing into the field clears its error.
  useEffect(() => form.setErrors(problems), [error]);
  return Object.keys(problems).length > 0;
}

/** The service names each invalid event, such as `events.0`, but the form has only one field for all events. */
function endpointProblems(error: Error | null): Record<string, string> {
  const problems = Object.entries(fieldProblems(error));
  const byField = problems.map(([name, words]) => [name.startsWith('events') ? 'events' : name, words] as const);
  return Object.fromEntries(byField.filter(([name]) => name === 'url' || name === 'events'));
}

export function EndpointFields({ form }: { form: EndpointForm }): ReactNode {
  return (
    <>
      <TextInput
        label="Address"
        description="The https:// address of your receiver."
        placeholder="https://shop.example.com/webhooks"
        type="url"
        inputMode="url"
        dir="ltr"
        maxLength={2_048}
        required
        withAsterisk={false}
        data-autofocus
        {...form.getInputProps('url')}
      />
      <Radio.Group label="Events" {...form.getInputProps('isEvery')}>
        <Stack gap={6} mt={6}>
          <Radio value="yes" label="All events, including new ones in later versions" />
          <Radio value="no" label="Selected events" />
        </Stack>
      </Radio.Group>
      {form.getValues().isEvery === 'no' && (
        <Checkbox.Group aria-label="Events" {...form.getInputProps('events')}>
          <Stack gap={8} ps="lg">
            {subscribableEvents.map((name) => (
              <Checkbox key={name} value={name} label={name} description={eventWords[name]} />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
    </>
  );
}
