import { Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { CodeBlock } from './code-block.tsx';

interface JsonViewProps {
  title: string;
  /** The name of the content: "request body". */
  what: string;
  /** The JSON, byte for byte. A text that is not JSON is shown unchanged. */
  raw: string;
}

/** Shows JSON with line breaks, or unchanged, byte for byte, which is the text that a signature covers. */
export function JsonView({ title, what, raw }: JsonViewProps): ReactNode {
  const [form, setForm] = useState<'Pretty' | 'Raw'>('Pretty');
  const pretty = prettyJson(raw);
  return (
    <Stack gap={6}>
      <Group justify="space-between">
        <Text fw={600} size="sm">
          {title}
        </Text>
        {pretty !== null && (
          <SegmentedControl
            size="xs"
            data={['Pretty', 'Raw']}
            value={form}
            onChange={setForm}
            aria-label={`Form of the ${what}`}
          />
        )}
      </Group>
      <CodeBlock text={form === 'Pretty' ? (pretty ?? raw) : raw} what={what} />
    </Stack>
  );
}

/** Null when the text is not an object or a list in JSON. */
export function prettyJson(raw: string): string | null {
  try {
    const value: unknown = JSON.parse(raw);
    return typeof value === 'object' ? JSON.stringify(value, null, 2) : null;
  } catch {
    return null;
  }
}
