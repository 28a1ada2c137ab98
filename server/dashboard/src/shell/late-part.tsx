import { Box, Button, Portal, Text } from '@mantine/core';
import { CatchBoundary } from '@tanstack/react-router';
import { type ReactNode, Suspense, useState } from 'react';
import { reloadForScripts } from '../app/load-script.tsx';
import { Failure } from '../kit/failure.tsx';

interface LatePartProps {
  /** The name of this part of the page, as at the beginning of a sentence: "The search". */
  name: string;
  /** A component that was made with `lazily`. */
  children: ReactNode;
  fallback?: ReactNode;
  /** Called when the user continues without the part. When omitted, the page cannot be used without the part. */
  onClose?: () => void;
}

/**
 * When the script of the part cannot be loaded, a message is shown over the page, and forms on the page keep their
 * content.
 * See docs/decisions/dashboard.md, "Late parts around a page have a boundary".
 */
export function LatePart({ name, children, fallback, onClose }: LatePartProps): ReactNode {
  const [error, setError] = useState<unknown>(null);
  if (error === null) {
    return (
      <CatchBoundary getResetKey={never} errorComponent={Nothing} onCatch={setError}>
        <Suspense fallback={fallback}>{children}</Suspense>
      </CatchBoundary>
    );
  }
  const tryAgain = () => {
    if (!reloadForScripts()) setError(null);
  };
  return (
    <>
      {fallback}
      <Portal>
        <Box
          pos="fixed"
          top={60}
          right={16}
          w="min(26rem, 100vw - 2rem)"
          bg="var(--mantine-color-body)"
          style={inFront}
        >
          <Failure error={error instanceof Error ? error : new Error(String(error))} onTryAgain={tryAgain}>
            <Text size="sm">
              {name} could not be loaded. If you try again, this page reloads, and anything that you typed but did not
              send is lost.
            </Text>
            {onClose && (
              <Button size="xs" variant="default" onClick={onClose}>
                Close and stay on the page
              </Button>
            )}
          </Failure>
        </Box>
      </Portal>
    </>
  );
}

const never = () => 'never';
const Nothing = () => null;

/** The message is shown in front of dialogs, because a dialog may have opened the part. */
const inFront = { zIndex: 1100 };
