import { Alert, type AlertProps } from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import classes from './warning.module.css';

/** Something to know before going on. What has failed is a `Failure`. */
export function Warning(props: Pick<AlertProps, 'title' | 'children' | 'role'>): ReactNode {
  return (
    <Alert
      variant="light"
      icon={<TriangleAlert aria-hidden />}
      classNames={{ root: classes.warning, title: classes.title, icon: classes.title }}
      {...props}
    />
  );
}
