import { Group, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { ReactNode } from 'react';
import classes from './brand-preview.module.css';

interface BrandPreviewProps {
  name: string;
  logoUrl: string;
  colour: string;
  /** The address from which no picture could be loaded, if there is one. */
  brokenLogo: string | null;
  onBrokenLogo: (address: string) => void;
}

/** The header and the button of the page where customers pay, as they would look. */
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

/** The picture is asked for once somebody has stopped typing its address. Where none is, customers see the name alone. */
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
