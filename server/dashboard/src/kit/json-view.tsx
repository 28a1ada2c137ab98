import { Group, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { CodeBlock } from './code-block.tsx';

interface JsonViewProps {
  title: string;
  what: string;
  /** Text that is not JSON is shown unchanged. */
  raw: string;
  /** Whether the title is the heading of a section of the page. */
  isSection?: boolean;
}

/** The unchanged JSON is the text that a signature covers. */
export function JsonView({ title, what, raw, isSection }: JsonViewProps): ReactNode {
  const [form, setForm] = useState<'Pretty' | 'Raw'>('Pretty');
  const pretty = prettyJson(raw);
  return (
    <Stack gap={6}>
      <Group justify="space-between">
        {isSection ? (
          <Title order={2}>{title}</Title>
        ) : (
          <Text fw={600} size="sm">
            {title}
          </Text>
        )}
        {pretty !== null && (
          <SegmentedControl
            size="xs"
            data={['Pretty', 'Raw']}
            value={form}
            onChange={setForm}
            aria-label={`Format of the ${what}`}
          />
        )}
      </Group>
      <CodeBlock
        text={form === 'Pretty' ? (pretty ?? raw) : raw}
        what={what}
        language={pretty === null ? undefined : 'json'}
      />
    </Stack>
  );
}

/** Returns null when the text is not a JSON object or array. */
export function prettyJson(raw: string): string | null {
  try {
    const value: unknown = JSON.parse(raw);
    return typeof value === 'object' ? JSON.stringify(value, null, 2) : null;
  } catch {
    return null;
  }
}
