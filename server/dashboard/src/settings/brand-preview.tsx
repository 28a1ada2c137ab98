import { Group, Stack, Text } from '@mantine/core';
import type { CSSProperties, ReactNode } from 'react';
import { accentOf, type Theme, tokenColours } from '../../../look/accent.ts';
import classes from './brand-preview.module.css';

interface BrandPreviewProps {
  name: string;
  colour: string;
  logo: string | null;
}

export function BrandPreview(brand: BrandPreviewProps): ReactNode {
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        Preview in light and dark mode
      </Text>
      <div className={classes.themes} aria-hidden>
        <Themed {...brand} theme="light" />
        <Themed {...brand} theme="dark" />
      </div>
    </Stack>
  );
}

function Themed({ theme, name, colour, logo }: BrandPreviewProps & { theme: Theme }): ReactNode {
  const { panel, text, accent: usualColour } = tokenColours[theme];
  const accent = accentOf(/^#[\da-f]{6}$/i.test(colour) ? colour : usualColour, theme);
  const button = { background: accent.button, color: accent.onButton, borderColor: accent.edge };
  return (
    <Stack gap="md" className={classes.preview} data-theme={theme} style={{ background: panel, color: text }}>
      <Group gap="sm" wrap="nowrap">
        <Mark name={name} logo={logo} style={button} />
        <Text fw={600} dir="auto" className={classes.name}>
          {name || 'Your name'}
        </Text>
      </Group>
      <div className={classes.button} style={button}>
        Pay
      </div>
      <span className={classes.link} style={{ color: accent.text }}>
        Return without paying
      </span>
    </Stack>
  );
}

interface MarkProps extends Omit<BrandPreviewProps, 'colour'> {
  style: CSSProperties;
}

function Mark({ name, logo, style }: MarkProps): ReactNode {
  if (logo) return <img className={classes.logo} src={logo} alt="" />;
  return (
    <span className={classes.monogram} style={style}>
      {([...name.trim()][0] ?? '').toUpperCase()}
    </span>
  );
}
