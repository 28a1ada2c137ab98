import type { ReactNode } from 'react';
import classes from './field-list.module.css';

/** The name and the value of a field. Null hides the field. */
export type Field = readonly [name: string, value: ReactNode];

/** The fields of one record, with names on the left and values on the right. */
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
