import { ActionIcon, CopyButton } from '@mantine/core';
import { Check, Copy } from 'lucide-react';
import type { ReactNode } from 'react';
import classes from './code-sample.module.css';

interface CodeSampleProps {
  code: string;
  /** What the code is, for the name of the button that copies it: "the command". */
  what: string;
  onCopy?: () => void;
}

/** Code or a command as it is, to be copied with one click. It scrolls by itself where it is too wide. */
export function CodeSample({ code, what, onCopy }: CodeSampleProps): ReactNode {
  return (
    <div className={classes.frame}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard. */}
      <pre className={classes.code} tabIndex={0} dir="ltr" onCopy={onCopy}>
        <code>{code}</code>
      </pre>
      <CopyButton value={code}>
        {({ copied, copy }) => (
          <ActionIcon
            className={classes.copy}
            variant="default"
            size="md"
            title={`Copy ${what}`}
            aria-label={copied ? 'Copied' : `Copy ${what}`}
            onClick={() => {
              copy();
              onCopy?.();
            }}
          >
            {copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
          </ActionIcon>
        )}
      </CopyButton>
    </div>
  );
}
