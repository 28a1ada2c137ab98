import { Group, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { ReactNode } from 'react';
import classes from './brand-preview.module.css';

interface BrandPreviewProps {
  name: string;
  logoUrl: string;
  colour: string;
  /** The address from which no image could be loaded. Null when there is none. */
  brokenLogo: string | null;
  onBrokenLogo: (address: string) => void;
}

/** A preview of the header and the button of the checkout page. */
export function BrandPreview({ name, logoUrl, colour, ...logo }: BrandPreviewProps): ReactNode {
  const background = /^#[\da-f]{6}$/i.test(colour) ? { background: colour } : {};
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        How customers see it
      </Text>
      <Stack gap="md" className={classes.preview} aria-hidden>
        <Group gap="sm" wrap="nowrap">
          <Mark {...{ name, logoUrl, background, ...logo }} />
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

function isHttps(typed: string): boolean {
  return URL.canParse(typed) && new URL(typed).protocol === 'https:';
}

interface MarkProps extends Omit<BrandPreviewProps, 'colour'> {
  background: { background?: string };
}

/**
 * The image is loaded when the user has stopped typing its address. When it cannot be loaded, customers see only the
 * name.
 */
function Mark({ name, logoUrl, background, brokenLogo, onBrokenLogo }: MarkProps): ReactNode {
  const [address] = useDebouncedValue(isHttps(logoUrl) ? logoUrl.trim() : '', 600);
  if (address) {
    return (
      <img
        className={classes.logo}
        src={address}
        alt=""
        hidden={address === brokenLogo}
        referrerPolicy="no-referrer"
        onError={() => onBrokenLogo(address)}
      />
    );
  }
  return (
    <span className={classes.monogram} style={background}>
      {([...name.trim()][0] ?? '').toUpperCase()}
    </span>
  );
}
