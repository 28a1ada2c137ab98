import { Notifications, notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';

export function NoticePlace(): ReactNode {
  return <Notifications position="bottom-right" aria-live="polite" />;
}

export function show(message: string): void {
  notifications.show({ message, withBorder: true, closeButtonProps: { 'aria-label': 'Close' } });
}
