import { useState } from 'react';
import type { Column } from './data-table.tsx';

export interface ColumnChoice<Row> {
  shown: Column<Row>[];
  /** The columns that the user may hide. */
  optional: readonly { name: string; title: string; isShown: boolean }[];
  toggle: (name: string) => void;
  /** The shown columns for the URL of a view. Undefined for a list in which all columns are always shown. */
  forAddress: string | undefined;
  /** Whether the user has chosen nothing, or the choice is in the URL. */
  isUsual: boolean;
  isInAddress: boolean;
}

interface AddressOfColumns {
  inAddress: string | undefined;
  changeAddress: (columns: string) => void;
}

/**
 * The browser keeps the choice, because it depends on the width of the screen. The columns of a saved view are in the
 * URL, and no other list gets them.
 * See docs/decisions/dashboard.md, "The browser keeps the columns of a list".
 */
export function useColumnChoice<Row>(
  list: string,
  columns: readonly Column<Row>[],
  { inAddress, changeAddress }: AddressOfColumns,
): ColumnChoice<Row> {
  const key = `tillhook-columns-${list}`;
  const [changed, setChanged] = useState<ReadonlySet<string>>(() => new Set(readKept(key)));
  const named = inAddress?.split('.');
  const isNamed = (name: string, isExtra = false) => (named ? named.includes(name) : changed.has(name) === isExtra);
  const optional = columns.flatMap(({ name, title, isExtra }) =>
    name === undefined ? [] : [{ name, title, isShown: isNamed(name, isExtra) }],
  );
  const toggle = (name: string) => {
    if (named) {
      const next = optional.filter((column) => column.isShown !== (column.name === name));
      return changeAddress(written(next));
    }
    const next = new Set(changed);
    if (!next.delete(name)) next.add(name);
    setChanged(next);
    keep(key, [...next]);
  };
  return {
    shown: columns.filter(({ name, isExtra }) => name === undefined || isNamed(name, isExtra)),
    optional,
    toggle,
    forAddress: optional.length > 0 ? written(optional.filter(({ isShown }) => isShown)) : undefined,
    isUsual: named !== undefined || changed.size === 0,
    isInAddress: named !== undefined,
  };
}

/** A list without optional columns has the name of no column, because an empty parameter would be dropped. */
function written(columns: readonly { name: string }[]): string {
  return columns.map(({ name }) => name).join('.') || 'none';
}

/** The names of the columns that the user shows or hides against the usual choice. */
function readKept(key: string): string[] {
  try {
    return (localStorage.getItem(key) ?? '').split(' ').filter(Boolean);
  } catch {
    return [];
  }
}

function keep(key: string, names: readonly string[]): void {
  try {
    if (names.length > 0) localStorage.setItem(key, names.join(' '));
    else localStorage.removeItem(key);
  } catch {
    // Without storage, the choice lasts until the page is closed.
  }
}
