import { Button, Kbd } from '@mantine/core';
import { Search } from 'lucide-react';
import type { ReactNode } from 'react';

const isApple = /mac|iphone|ipad/i.test(navigator.userAgent);

/** Opens the search over everything, as its keys do. */
export function SearchButton(): ReactNode {
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<Search size={14} aria-hidden />}
      aria-keyshortcuts="Control+K Meta+K"
    >
      Search{' '}
      <Kbd ml={8} size="xs" visibleFrom="sm">
        {isApple ? '⌘K' : 'Ctrl K'}
      </Kbd>
    </Button>
  );
}
