import { Button, CloseButton, Menu, Popover } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import { FilterEditor } from './filter-editor.tsx';
import { type Changed, type Chosen, type FilterField, wordsOf } from './filter-fields.ts';
import classes from './filters.module.css';
import { Plus } from './icons.tsx';

interface FiltersProps<Name extends string> {
  fields: readonly FilterField<Name>[];
  chosen: Chosen<Name>;
  /** A change of a filter also returns to the first page of the list. */
  onChange: (changed: Changed<Name>) => void;
}

/**
 * Each chosen filter is a chip, and the button adds another one. The period is always a chip, because it is chosen
 * most. The URL contains the values of the filters, so that links and the Back button keep them.
 */
export function Filters<Name extends string>({ fields, chosen, onChange }: FiltersProps<Name>): ReactNode {
  const [edited, setEdited] = useState<string | null>(null);
  const adder = useRef<HTMLButtonElement>(null);
  const words = new Map(fields.map((field) => [field.label, wordsOf(field, chosen)]));
  const used = fields.filter(({ label }) => words.get(label) !== null);
  const isChip = (field: FilterField<Name>) => field.kind === 'period' || words.get(field.label) !== null;
  const others = fields.filter((field) => !isChip(field));
  const shown = fields.filter((field) => isChip(field) || field.label === edited);
  const clear = (cleared: readonly FilterField<Name>[]) => {
    onChange(changedBy(cleared, {}));
    adder.current?.focus();
  };
  return (
    <search className={classes.filters}>
      {shown.map((field) => (
        <FilterChip
          key={field.label}
          field={field}
          words={words.get(field.label) ?? null}
          chosen={chosen}
          isOpen={edited === field.label}
          onOpen={(isOpen) => {
            setEdited(isOpen ? field.label : null);
            if (!isOpen && !isChip(field)) adder.current?.focus();
          }}
          onChange={(values) => onChange(changedBy([field], values))}
          onRemove={() => clear([field])}
        />
      ))}
      {others.length > 0 && (
        <Menu position="bottom-start" withinPortal={false} withInitialFocusPlaceholder={false} returnFocus={false}>
          <Menu.Target>
            <Button ref={adder} size="compact-sm" variant="default" leftSection={<Plus size={14} aria-hidden />}>
              Filter
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {others.map(({ label }) => (
              <Menu.Item key={label} onClick={() => setEdited(label)}>
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {used.length > 0 && (
        <Button size="compact-sm" variant="default" onClick={() => clear(used)}>
          Clear filters
        </Button>
      )}
    </search>
  );
}

/** Filters that are not in `values` are cleared. */
function changedBy<Name extends string>(
  fields: readonly FilterField<Name>[],
  values: Readonly<Record<string, string | undefined>>,
): Changed<Name> {
  const names = fields.flatMap((field) => field.names);
  return Object.fromEntries([...names.map((name) => [name, values[name]]), ['page', undefined]]) as Changed<Name>;
}

interface FilterChipProps {
  field: FilterField;
  /** Null for a filter without a value. */
  words: string | null;
  chosen: Chosen<string>;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
  onChange: (values: Readonly<Record<string, string | undefined>>) => void;
  onRemove: () => void;
}

function FilterChip({ field, words, chosen, isOpen, onOpen, onChange, onRemove }: FilterChipProps): ReactNode {
  const { label } = field;
  return (
    <Popover
      opened={isOpen}
      onChange={onOpen}
      position="bottom-start"
      shadow="md"
      trapFocus
      returnFocus
      withinPortal={false}
    >
      <div className={classes.chip} data-empty={words === null || undefined}>
        <Popover.Target>
          <button type="button" className={classes.words} title={words ?? undefined} onClick={() => onOpen(!isOpen)}>
            {words === null ? label : `${label}: ${words}`}
          </button>
        </Popover.Target>
        {words !== null && (
          <CloseButton size="xs" aria-label={`Remove filter ${label}`} onClick={onRemove} className={classes.remove} />
        )}
      </div>
      <Popover.Dropdown aria-label={label}>
        <FilterEditor field={field} chosen={chosen} onChange={onChange} onClose={() => onOpen(false)} />
      </Popover.Dropdown>
    </Popover>
  );
}
