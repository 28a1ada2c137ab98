import type { ReactNode } from 'react';
import classes from './field-list.module.css';

/** A field with the value null is hidden. */
export type Field = readonly [name: string, value: ReactNode];

export function FieldList({ fields }: { fields: readonly Field[] }): ReactNode {
  return (
    <dl className={classes.fields}>
      {fields
        .filter(([, value]) => value !== null)
        .map(([name, value]) => (
          <Pair key={name} name={name} value={value} />
        ))}
    </dl>
  );
}

function Pair({ name, value }: { name: string; value: ReactNode }): ReactNode {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}
