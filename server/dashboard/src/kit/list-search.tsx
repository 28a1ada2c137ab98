import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Search } from './icons.tsx';
import classes from './list-tools.module.css';

export interface ListSearchTexts {
  /** "Search payments" */
  label: string;
  placeholder: string;
}

interface ListSearchProps extends ListSearchTexts {
  chosen: string | undefined;
  onChange: (search: string | undefined) => void;
}

const waitMs = 300;

/** Finds records by parts of their texts, as the search of the dashboard does. */
export function ListSearch({ label, placeholder, chosen = '', onChange }: ListSearchProps): ReactNode {
  const [typed, setTyped] = useState(chosen);
  const applied = useRef(chosen);
  const apply = useDebouncedCallback((text: string) => {
    applied.current = text.trim();
    if (applied.current !== chosen) onChange(applied.current || undefined);
  }, waitMs);
  // The URL also changes by a link or the Back button. What the user types while the URL gets the text before it stays.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of the URL changes the field.
  useEffect(() => {
    if (chosen === applied.current) return;
    apply.cancel();
    applied.current = chosen;
    setTyped(chosen);
  }, [chosen]);
  return (
    <TextInput
      className={classes.search}
      type="search"
      size="xs"
      aria-label={label}
      placeholder={placeholder}
      leftSection={<Search size={14} aria-hidden />}
      maxLength={200}
      value={typed}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value);
        apply(value);
      }}
      onKeyDown={({ key }) => key === 'Enter' && apply.flush()}
    />
  );
}
