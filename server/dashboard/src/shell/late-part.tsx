import { Box, Button, Portal, Text } from '@mantine/core';
import { CatchBoundary } from '@tanstack/react-router';
import { type ReactNode, Suspense, useState } from 'react';
import { reloadForScripts } from '../app/load-script.ts';
import { Failure } from '../kit/failure.tsx';

interface LatePartProps {
  /** With its article, at the start of a sentence: "The search". */
  name: string;
  /** The part, made by `lazily`. */
  children: ReactNode;
  /** Stands there until the part has come. */
  fallback?: ReactNode;
  /** Without it the page cannot go on without the part. */
  onClose?: () => void;
}

/**
 * A part around the page whose script comes when the part is first wanted. When the script does not come, that is said over the
 * page, and the page stays with everything that was typed on it.
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
              {name} could not be loaded. If you try again, this page is loaded anew, and what you typed and did not
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

/** In front of dialogs: somebody may have asked from one. */
const inFront = { zIndex: 1100 };
