import { ActionIcon, Button, Checkbox, Menu, Popover, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { type Csv, CsvFailure, csvLabel, SaveButton, useCsv } from './csv-button.tsx';
import { Columns3, Ellipsis } from './icons.tsx';
import type { ColumnChoice } from './kept-columns.ts';
import classes from './list-tools.module.css';

type Choice = Pick<ColumnChoice<never>, 'optional' | 'toggle' | 'isInAddress'>;

/** On a phone, a row has no columns to choose, and the file is in a menu. */
export function ListTools({ columns, csv }: { columns: Choice; csv: Csv | undefined }): ReactNode {
  return (
    <>
      {columns.optional.length > 0 && <ColumnsButton {...columns} />}
      {csv && <CsvTool {...csv} />}
    </>
  );
}

function ColumnsButton({ optional, toggle, isInAddress }: Choice): ReactNode {
  return (
    <Popover position="bottom-end" shadow="md" trapFocus returnFocus withinPortal={false}>
      <Popover.Target>
        <Button visibleFrom="sm" size="compact-sm" variant="default" leftSection={<Columns3 size={14} aria-hidden />}>
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns">
        <Stack gap="xs">
          {optional.map(({ name, title, isShown }) => (
            <Checkbox key={name} label={title} checked={isShown} onChange={() => toggle(name)} />
          ))}
          <Text size="xs" c="dimmed">
            {isInAddress ? 'Save the view to keep this choice.' : 'This browser remembers your choice.'}
          </Text>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

function CsvTool({ file, read }: Csv): ReactNode {
  const saving = useCsv({ read });
  return (
    <>
      <SaveButton saving={saving} file={file} size="compact-sm" visibleFrom="sm" />
      <Menu position="bottom-end" withinPortal={false} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <ActionIcon hiddenFrom="sm" variant="default" size="md" aria-label="More" loading={saving.isBusy}>
            <Ellipsis size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => saving.mutate(file)}>{csvLabel}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {saving.error && (
        <div className={classes.failure}>
          <CsvFailure saving={saving} />
        </div>
      )}
    </>
  );
}
