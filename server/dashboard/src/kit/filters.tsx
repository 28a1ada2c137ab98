import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback, useDisclosure } from '@mantine/hooks';
import { ListFilter } from 'lucide-react';
import { type ReactNode, useEffect, useId, useState } from 'react';
import classes from './filters.module.css';
import { fromLocal, toLocal } from './local-moment.ts';

/** One filter of a list, named as its search parameter is. */
export interface FilterField {
  name: string;
  label: string;
  kind: 'choice' | 'text' | 'moment';
  /** For a choice: what the address holds, and what is read. */
  options?: readonly { value: string; label: string }[];
  placeholder?: string;
  /** For text: what the address holds of what was typed; null when that cannot be. The text itself when omitted. */
  read?: (typed: string) => string | null;
  /** For text: what stands in the field of what the address holds. */
  write?: (held: string) => string;
  /** Said below the field while what is typed cannot be read. */
  problem?: string;
}

type Chosen = Readonly<Record<string, string | number | undefined>>;

interface FiltersProps {
  fields: readonly FilterField[];
  /** The search parameters of the address. */
  chosen: Chosen;
  /** Called with what changed, undefined for what was cleared. It begins the list at its first page. */
  onChange: (changed: Record<string, string | undefined>) => void;
}

/**
 * The filters of a list, kept in the address, so that a link to it and the button Back have them. On a narrow screen they open
 * by a button.
 */
export function Filters({ fields, chosen, onChange }: FiltersProps): ReactNode {
  const [isOpen, { toggle }] = useDisclosure();
  const fieldsId = useId();
  const change = (changed: Record<string, string | undefined>) => onChange({ ...changed, page: undefined });
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
            onChange={(value) => change({ [field.name]: value || undefined })}
          />
        ))}
        {count > 0 && (
          <Button
            size="xs"
            variant="default"
            mt={20}
            onClick={() => change(Object.fromEntries(fields.map(({ name }) => [name, undefined])))}
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
      label={label}
      size="xs"
      type="datetime-local"
      value={toLocal(value)}
      onChange={({ currentTarget }) => onChange(fromLocal(currentTarget.value))}
    />
  );
}

/** Asks once somebody has stopped typing, and at once with Enter; not while what is typed cannot be. */
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
