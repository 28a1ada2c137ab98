import { ActionIcon, CopyButton } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './code-block.module.css';
import type { Language } from './highlight.ts';
import { Check, Copy as CopyIcon } from './icons.tsx';
import { useColours } from './use-colours.tsx';

interface CodeBlockProps {
  text: string;
  /** The name of the content, for screen readers and for the label of the button: "Copy request body". */
  what: string;
  /** Called when the user has copied the text, with the button or from a selection. */
  onCopy?: () => void;
  /** Whether the text is a program, whose long lines are not wrapped. */
  isProgram?: boolean;
  /** Text without a language has no colours. */
  language?: Language | undefined;
}

export function CodeBlock({ text, what, onCopy, isProgram, language }: CodeBlockProps): ReactNode {
  const coloured = useColours(text, language);
  return (
    <div className={classes.frame}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll the text. */}
      <section className={classes.scroll} data-program={isProgram} aria-label={what} tabIndex={0} onCopy={onCopy}>
        <pre dir="ltr">
          <code>{coloured ?? text}</code>
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
