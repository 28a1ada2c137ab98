/**
 * All colours are the CSS variables of `server/look/tokens.css`, which the other pages of the service use too.
 * See docs/decisions/dashboard.md, "A theme is the user's, and the browser keeps a copy".
 */
import {
  type CSSVariablesResolver,
  colorsTuple,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core';

/**
 * Mantine needs ten shades of each colour, but our tokens have one: `tokenVariables` replaces the computed variables.
 */
const accent = colorsTuple('var(--accent)');

/** The colours that Mantine uses in dark mode, from the colour of text to the colour of the page. */
const dark: MantineColorsTuple = [
  'var(--text)',
  'var(--text)',
  'var(--muted)',
  'var(--field-line)',
  'var(--line)',
  'var(--hover)',
  'var(--panel)',
  'var(--page)',
  'var(--page)',
  'var(--page)',
];

const accentSoftHover = 'color-mix(in srgb, var(--accent) 15%, var(--accent-soft))';

const small = { defaultProps: { size: 'sm' } };

/** In dark mode the accent colour is light, so text on the accent colour is dark. */
const variantColors: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input);
  const isAccent = input.variant === 'filled' && (input.color ?? 'accent') === 'accent';
  return isAccent ? { ...colors, color: 'var(--on-accent)' } : colors;
};

export const theme = createTheme({
  colors: { accent, dark },
  primaryColor: 'accent',
  primaryShade: { light: 6, dark: 4 },
  fontFamily: 'var(--sans)',
  fontFamilyMonospace: 'var(--mono)',
  headings: {
    fontFamily: 'var(--sans)',
    fontWeight: '600',
    sizes: { h1: { fontSize: '1.375rem' }, h2: { fontSize: '1rem' }, h3: { fontSize: '0.875rem' } },
  },
  defaultRadius: 'sm',
  spacing: {
    xs: 'var(--space-xs)',
    sm: 'var(--space-s)',
    md: 'var(--space-m)',
    lg: 'var(--space-l)',
    xl: 'var(--space-xl)',
  },
  radius: { sm: 'var(--radius)', md: 'var(--radius-large)' },
  cursorType: 'pointer',
  variantColorResolver: variantColors,
  respectReducedMotion: true,
  components: {
    // A link in a sentence must be recognisable without its colour.
    Anchor: { defaultProps: { underline: 'always' } },
    Button: {
      ...small,
      // The small buttons above a list have the size of its text.
      vars: (_theme: unknown, { size }: { size?: unknown }) => ({
        root: size === 'compact-sm' ? { '--button-fz': 'var(--size-s)' } : {},
      }),
    },
    TextInput: small,
    PasswordInput: small,
    NumberInput: small,
    Select: small,
    NativeSelect: small,
    Textarea: small,
    Checkbox: small,
    Switch: small,
    Badge: { defaultProps: { variant: 'light', radius: 'sm' } },
    Paper: { defaultProps: { bg: 'var(--panel)', radius: 'md', withBorder: true } },
    // Screen readers would take the `header` elements of dialogs for the banner of the page.
    ModalHeader: { defaultProps: { role: 'presentation' } },
    DrawerHeader: { defaultProps: { role: 'presentation' } },
    CloseButton: { defaultProps: { 'aria-label': 'Close' } },
    Modal: { defaultProps: { centered: true } },
  },
});

const tokenVariables = {
  '--mantine-color-body': 'var(--page)',
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-dimmed': 'var(--muted)',
  '--mantine-color-placeholder': 'var(--muted)',
  '--mantine-color-anchor': 'var(--accent)',
  '--mantine-color-error': 'var(--bad)',
  '--mantine-color-default': 'var(--panel)',
  '--mantine-color-default-hover': 'var(--hover)',
  '--mantine-color-default-border': 'var(--line)',
  '--mantine-color-default-color': 'var(--text)',
  '--mantine-primary-color-filled': 'var(--accent)',
  '--mantine-primary-color-filled-hover': 'var(--accent-hover)',
  '--mantine-primary-color-contrast': 'var(--on-accent)',
  '--mantine-primary-color-light': 'var(--accent-soft)',
  '--mantine-primary-color-light-hover': accentSoftHover,
  '--mantine-primary-color-light-color': 'var(--accent)',
  '--mantine-color-accent-filled': 'var(--accent)',
  '--mantine-color-accent-filled-hover': 'var(--accent-hover)',
  '--mantine-color-accent-light': 'var(--accent-soft)',
  '--mantine-color-accent-light-hover': accentSoftHover,
  '--mantine-color-accent-light-color': 'var(--accent)',
  '--mantine-color-accent-text': 'var(--accent)',
  '--mantine-color-red-light': 'var(--bad-soft)',
  '--mantine-color-red-light-color': 'var(--bad)',
};

/** The tokens already depend on light or dark mode, so Mantine needs the same variables in both modes. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: tokenVariables,
  dark: tokenVariables,
});
