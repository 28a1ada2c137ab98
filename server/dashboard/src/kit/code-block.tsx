import { ActionIcon, CopyButton } from '@mantine/core';
import { Check, Copy as CopyIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import classes from './code-block.module.css';

interface CodeBlockProps {
  text: string;
  /** What the block holds, for screen readers, and for the name of the button: "Copy request body". */
  what: string;
  /** Called when it was copied, by the button or by hand. */
  onCopy?: () => void;
  /** A program, whose lines stay as they are; what else is too wide wraps. */
  isProgram?: boolean;
}

/** Text as it is, with its line breaks, to be read and copied. A long one scrolls, by keyboard too. */
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
