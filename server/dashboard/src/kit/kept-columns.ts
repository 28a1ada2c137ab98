import { useState } from 'react';
import type { Column } from './data-table.tsx';

export interface ColumnChoice<Row> {
  shown: Column<Row>[];
  /** The columns that the user may hide. */
  optional: readonly { name: string; title: string; isShown: boolean }[];
  toggle: (name: string) => void;
}

/**
 * The browser keeps the choice, because it depends on the width of the screen.
 * See docs/decisions/dashboard.md, "The browser keeps the columns of a list".
 */
export function useColumnChoice<Row>(list: string, columns: readonly Column<Row>[]): ColumnChoice<Row> {
  const key = `tillhook-columns-${list}`;
  const [changed, setChanged] = useState<ReadonlySet<string>>(() => new Set(readKept(key)));
  const isShown = ({ name, isExtra = false }: Column<Row>) => name === undefined || changed.has(name) === isExtra;
  const toggle = (name: string) => {
    const next = new Set(changed);
    if (!next.delete(name)) next.add(name);
    setChanged(next);
    keep(key, [...next]);
  };
  return {
    shown: columns.filter(isShown),
    optional: columns.flatMap((column) =>
      column.name === undefined ? [] : [{ name: column.name, title: column.title, isShown: isShown(column) }],
    ),
    toggle,
  };
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
