import { Button, Group, Select, Stack } from '@mantine/core';
import type { Settings } from '@tillhook/sdk/session';
import { type FormEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { fieldProblems } from '../kit/field-problems.ts';
import { browserZone, cityOf, isSameZone } from '../kit/locale.ts';
import { ReadOnlyNote, useMayCall } from '../kit/may-call.tsx';
import { notify } from '../kit/notices.tsx';
import { SaveRow } from '../kit/save-row.tsx';
import { zoneOptions } from '../kit/time-zones.ts';
import { useServiceMutation } from '../kit/use-service-mutation.ts';

export function TimeZoneForm({ settings }: { settings: Settings }): ReactNode {
  const mayChange = useMayCall('updateSettings');
  const [zone, setZone] = useState(settings.timeZone);
  const options = useMemo(() => zoneOptions(settings.timeZone), [settings.timeZone]);
  const saving = useServiceMutation({
    mutate: (tillhook, timeZone: string) => tillhook.settings.update({ timeZone }),
    changes: ['settings', 'statistics', 'audit'],
    onAnswer: () => void notify('Time zone saved.'),
  });
  const field = useRef<HTMLInputElement>(null);
  // Home and the search link to this field, which is below the fold.
  useEffect(() => {
    if (location.hash !== '#time-zone') return;
    field.current?.focus();
    field.current?.select();
  }, []);
  const problem = fieldProblems(saving.error).timeZone;
  const ofBrowser = options.find(({ value }) => value === browserZone());
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate(zone);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm" maw={520}>
        <ReadOnlyNote what="change it" operations={['updateSettings']} />
        <Select
          ref={field}
          label="Time zone"
          description="Days on Home follow this time zone. The API and webhooks use UTC."
          data={options}
          value={zone}
          onChange={(chosen) => chosen !== null && setZone(chosen)}
          searchable
          allowDeselect={false}
          nothingFoundMessage="No matching time zone"
          comboboxProps={{ withinPortal: false }}
          disabled={!mayChange || saving.isBusy}
          error={problem}
        />
        {mayChange && ofBrowser && !isSameZone(zone) && (
          <Group>
            <Button size="compact-sm" variant="default" onClick={() => setZone(ofBrowser.value)}>
              {`Use the time zone of this browser: ${cityOf(ofBrowser.value)}`}
            </Button>
          </Group>
        )}
        {mayChange && (
          <SaveRow
            saving={saving}
            isChanged={zone !== settings.timeZone}
            label="Save time zone"
            isErrorShown={problem !== undefined}
          />
        )}
      </Stack>
    </form>
  );
}
