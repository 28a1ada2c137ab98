import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback, useDisclosure } from '@mantine/hooks';
import { type ReactNode, useEffect, useId, useState } from 'react';
import classes from './filters.module.css';
import { ListFilter } from './icons.tsx';
import { fromLocal, inZone, toLocal } from './local-moment.ts';

/** `name` is the name of the filter's search parameter. */
export interface FilterField<Name extends string = string> {
  name: Name;
  label: string;
  kind: 'choice' | 'text' | 'moment';
  options?: readonly { value: string; label: string }[];
  placeholder?: string;
  /** For a text filter: returns the value for the URL's query, or null when the typed text is invalid. */
  read?: (typed: string) => string | null;
  /** For a text filter: returns the text that its field shows for a value from the URL's query. */
  write?: (held: string) => string;
  problem?: string;
}

export type Chosen<Name extends string> = { readonly [Filter in Name]?: string | number | undefined };

/** Undefined clears the filter. */
export type Changed<Name extends string> = { readonly [Filter in Name | 'page']?: string | undefined };

interface FiltersProps<Name extends string> {
  fields: readonly FilterField<Name>[];
  chosen: Chosen<Name>;
  /** A change of a filter also returns to the first page of the list. */
  onChange: (changed: Changed<Name>) => void;
}

/** The URL contains the values of the filters, so that links and the Back button keep them. */
export function Filters<Name extends string>({ fields, chosen, onChange }: FiltersProps<Name>): ReactNode {
  const [isOpen, { toggle }] = useDisclosure();
  const fieldsId = useId();
  const change = (names: readonly Name[], value: string | undefined) =>
    onChange(
      Object.fromEntries(
        [...names, 'page'].map((name) => [name, name === 'page' ? undefined : value]),
      ) as Changed<Name>,
    );
  const count = fields.filter(({ name }) => chosen[name] !== undefined).length;
  return (
    <search>
      <Button
        hiddenFrom="sm"
        size="xs"
        variant="default"
        leftSection={<ListFilter size={14} aria-hidden />}
        onClick={toggle}
        aria-expanded={isOpen}
        aria-controls={fieldsId}
      >
        {count === 0 ? 'Filters' : `Filters (${count})`}
      </Button>
      <div id={fieldsId} className={classes.fields} data-open={isOpen || undefined}>
        {fields.map((field) => (
          <Filter
            key={field.name}
            field={field}
            value={String(chosen[field.name] ?? '')}
            onChange={(value) => change([field.name], value || undefined)}
          />
        ))}
        {count > 0 && (
          <Button
            size="xs"
            variant="default"
            mt={20}
            className={classes.clear}
            onClick={() =>
              change(
                fields.map(({ name }) => name),
                undefined,
              )
            }
          >
            Clear filters
          </Button>
        )}
      </div>
    </search>
  );
}

interface FilterProps {
  field: FilterField;
  value: string;
  onChange: (value: string) => void;
}

function Filter({ field, value, onChange }: FilterProps): ReactNode {
  const { label, kind, options = [], placeholder } = field;
  if (kind === 'text') return <TextFilter {...{ field, value, onChange }} />;
  if (kind === 'choice') {
    return (
      <NativeSelect
        label={label}
        size="xs"
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        data={[{ value: '', label: placeholder ?? 'Any' }, ...options]}
      />
    );
  }
  return (
    <TextInput
      label={inZone(label)}
      size="xs"
      type="datetime-local"
      className={classes.moment}
      value={toLocal(value)}
      onChange={({ currentTarget }) => onChange(fromLocal(currentTarget.value))}
    />
  );
}

/** A text filter changes the URL when the user has stopped typing, or at once with Enter. */
function TextFilter({ field, value, onChange }: FilterProps): ReactNode {
  const { label, placeholder, read = asItIs, write = asItIs, problem } = field;
  const [typed, setTyped] = useState(value && write(value));
  const [isWrong, setIsWrong] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `write` is the same for each field.
  useEffect(() => {
    setTyped(value && write(value));
    setIsWrong(false);
  }, [value]);
  const changeSoon = useDebouncedCallback((text: string) => {
    const held = text && read(text);
    setIsWrong(held === null);
    if (held !== null) onChange(held);
  }, 400);
  return (
    <TextInput
      label={label}
      size="xs"
      value={typed}
      placeholder={placeholder}
      error={isWrong && problem}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        changeSoon(currentTarget.value.trim());
      }}
      onKeyDown={({ key }) => key === 'Enter' && changeSoon.flush()}
    />
  );
}

function asItIs(text: string): string {
  return text;
}
