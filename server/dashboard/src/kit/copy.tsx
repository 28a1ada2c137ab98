import { ActionIcon, Anchor, CopyButton, Group } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import classes from './copy.module.css';
import { Check, Copy as CopyIcon } from './icons.tsx';

interface CopyProps {
  value: string;
  what: string;
  children?: ReactNode;
}

export function Copy({ value, what, children }: CopyProps): ReactNode {
  return (
    <Group gap={4} wrap="nowrap" display="inline-flex" maw="100%">
      <code className={classes.value}>{children ?? wrappedAfterSlashes(value)}</code>
      <CopyIconButton value={value} what={what} />
    </Group>
  );
}

interface CopyLinkProps {
  value: string;
  what: string;
  children: ReactNode;
}

/** For a long URL that users open or send, and do not read. */
export function CopyLink({ value, what, children }: CopyLinkProps): ReactNode {
  return (
    <Group gap={4} wrap="nowrap" display="inline-flex">
      <Anchor href={value} target="_blank" rel="noreferrer" inherit>
        {children}
      </Anchor>
      <CopyIconButton value={value} what={what} />
    </Group>
  );
}

/** For a value that is already shown, such as the title of the page. */
export function CopyIconButton({ value, what }: Pick<CopyProps, 'value' | 'what'>): ReactNode {
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          onClick={copy}
          title={`Copy ${what}`}
          aria-label={copied ? 'Copied' : `Copy ${what}`}
        >
          {copied ? <Check size={14} aria-hidden /> : <CopyIcon size={14} aria-hidden />}
        </ActionIcon>
      )}
    </CopyButton>
  );
}

/** A long URL wraps after a slash, so that its last letter does not stand alone on a line. */
function wrappedAfterSlashes(value: string): ReactNode {
  return value.split(/(?<=\/)/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a value never change their order.
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
