import { Group, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type ReactNode, useEffect, useState } from 'react';
import classes from './brand-preview.module.css';

interface BrandPreviewProps {
  name: string;
  logoUrl: string;
  colour: string;
}

/** The header and the button of the page where customers pay, as they would look. */
export function BrandPreview({ name, logoUrl, colour }: BrandPreviewProps): ReactNode {
  const background = /^#[\da-f]{6}$/i.test(colour) ? { background: colour } : {};
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        How customers see it
      </Text>
      <Stack gap="md" className={classes.preview} aria-hidden>
        <Group gap="sm" wrap="nowrap">
          <Mark {...{ name, logoUrl, background }} />
          <Text fw={600} dir="auto" className={classes.name}>
            {name || 'Your name'}
          </Text>
        </Group>
        <div className={classes.button} style={background}>
          Pay
        </div>
      </Stack>
    </Stack>
  );
}

interface MarkProps extends Omit<BrandPreviewProps, 'colour'> {
  background: { background?: string };
}

/** The picture is asked for once somebody has stopped typing its address. */
function Mark({ name, logoUrl, background }: MarkProps): ReactNode {
  const [address] = useDebouncedValue(/^https:\/\/[^\s/]+\.[^\s]+/.test(logoUrl) ? logoUrl : '', 600);
  const [isBroken, setIsBroken] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address may be a picture again.
  useEffect(() => setIsBroken(false), [address]);
  if (address && !isBroken) {
    return (
      <img
        className={classes.logo}
        src={address}
        alt=""
        referrerPolicy="no-referrer"
        onError={() => setIsBroken(true)}
      />
    );
  }
  if (isBroken) {
    return (
      <Text size="xs" c="var(--bad)">
        No picture could be loaded from this address.
      </Text>
    );
  }
  return (
    <span className={classes.monogram} style={background}>
      {([...name.trim()][0] ?? '').toUpperCase()}
    </span>
  );
}
