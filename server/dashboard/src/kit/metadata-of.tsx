import { Text } from '@mantine/core';
import type { Metadata } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { FieldList } from './field-list.tsx';

export function MetadataOf({ metadata }: { metadata: Metadata }): ReactNode {
  const pairs = Object.entries(metadata);
  if (pairs.length > 0)
    return <FieldList fields={pairs.map(([name, value]) => [name, <bdi key={name}>{value}</bdi>])} />;
  return (
    <Text size="sm" c="dimmed">
      None. Your server can add key-value pairs when it creates this.
    </Text>
  );
}
