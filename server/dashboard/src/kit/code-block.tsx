import { ActionIcon, CopyButton } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './code-block.module.css';
import { Check, Copy as CopyIcon } from './icons.tsx';

interface CodeBlockProps {
  text: string;
  /** The name of the content, for screen readers and for the button: "Copy request body". */
  what: string;
  /** Called when the text was copied, with the button or by hand. */
  onCopy?: () => void;
  /** Whether the text is a program, whose long lines are not wrapped. */
  isProgram?: boolean;
}

/** A text with its line breaks, to be read and copied. A long text can be scrolled, also by keyboard. */
export function CodeBlock({ text, what, onCopy, isProgram }: CodeBlockProps): ReactNode {
  return (
    <div className={classes.frame}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a mouse. */}
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
