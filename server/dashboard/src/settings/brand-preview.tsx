import { Group, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { CSSProperties, ReactNode } from 'react';
import { accentOf, backgrounds, type Theme } from '../../../look/accent.ts';
import classes from './brand-preview.module.css';

interface BrandPreviewProps {
  name: string;
  logoUrl: string;
  colour: string;
  /** The address from which no image could be loaded. Null when there is none. */
  brokenLogo: string | null;
  onBrokenLogo: (address: string) => void;
}

/** The colour that the page has without a merchant's own. */
const usualColours: Record<Theme, string> = { light: '#0b6450', dark: '#5fd3ae' };
const textColours: Record<Theme, string> = { light: '#14181f', dark: '#eceff3' };

/** A preview of the header, a link and the button of the checkout page, in the light and in the dark theme. */
export function BrandPreview(brand: BrandPreviewProps): ReactNode {
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        How customers see it, in light and in dark mode
      </Text>
      <Group gap="sm" grow align="stretch" aria-hidden>
        <Themed {...brand} theme="light" />
        <Themed {...brand} theme="dark" />
      </Group>
    </Stack>
  );
}

function Themed({ theme, name, colour, ...logo }: BrandPreviewProps & { theme: Theme }): ReactNode {
  const accent = accentOf(/^#[\da-f]{6}$/i.test(colour) ? colour : usualColours[theme], theme);
  const button = { background: accent.button, color: accent.onButton, borderColor: accent.edge };
  return (
    <Stack
      gap="md"
      className={classes.preview}
      data-theme={theme}
      style={{ background: backgrounds[theme][1], color: textColours[theme] }}
    >
      <Group gap="sm" wrap="nowrap">
        <Mark {...{ name, ...logo }} style={button} />
        <Text fw={600} dir="auto" className={classes.name}>
          {name || 'Your name'}
        </Text>
      </Group>
      <div className={classes.button} style={button}>
        Pay
      </div>
      <span className={classes.link} style={{ color: accent.text }}>
        Cancel and return
      </span>
    </Stack>
  );
}

function isHttps(typed: string): boolean {
  return URL.canParse(typed) && new URL(typed).protocol === 'https:';
}

interface MarkProps extends Omit<BrandPreviewProps, 'colour'> {
  style: CSSProperties;
}

/**
 * The image is loaded when the user has stopped typing its address. When it cannot be loaded, customers see only the
 * name.
 */
function Mark({ name, logoUrl, style, brokenLogo, onBrokenLogo }: MarkProps): ReactNode {
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
    <span className={classes.monogram} style={style}>
      {([...name.trim()][0] ?? '').toUpperCase()}
    </span>
  );
}
