import { ActionIcon, CopyButton } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './code-block.module.css';
import { Check, Copy as CopyIcon } from './icons.tsx';

interface CodeBlockProps {
  text: string;
  /** The name of the content, for screen readers and for the label of the button: "Copy request body". */
  what: string;
  /** Called when the user has copied the text, with the button or from a selection. */
  onCopy?: () => void;
  /** Whether the text is a program, whose long lines are not wrapped. */
  isProgram?: boolean;
}

export function CodeBlock({ text, what, onCopy, isProgram }: CodeBlockProps): ReactNode {
  return (
    <div className={classes.frame}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll the text. */}
      <section className={classes.scroll} data-program={isProgram} aria-label={what} tabIndex={0} onCopy={onCopy}>
        <pre dir="ltr">
          <code>{text}</code>
        </pre>
      </section>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <ActionIcon
            className={classes.copy}
            variant="default"
            size="md"
            onClick={() => {
              copy();
              onCopy?.();
            }}
            title={`Copy ${what}`}
            aria-label={copied ? 'Copied' : `Copy ${what}`}
          >
            {copied ? <Check size={14} aria-hidden /> : <CopyIcon size={14} aria-hidden />}
          </ActionIcon>
        )}
      </CopyButton>
    </div>
  );
}
