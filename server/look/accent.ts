// See docs/decisions/checkout-page.md, "Any colour is accepted, and made readable".
// One file: through its other entrances the library loads 150 files at the start of the service.
import culori from 'culori/require';

const { clampChroma, converter, formatHex, wcagContrast } = culori;

const toOklch = converter('oklch');

const minTextContrast = 4.5;
const minEdgeContrast = 3;
const lightnessStep = 0.01;
const hoverStep = 0.06;

export type Theme = 'light' | 'dark';

/** A test compares `tokenColours` with `tokens.css`. */
export const tokenColours: Record<Theme, Record<'page' | 'panel' | 'text' | 'muted' | 'line' | 'accent', string>> = {
  light: {
    page: '#f5f6f8',
    panel: '#ffffff',
    text: '#14181f',
    muted: '#565e6c',
    line: '#e2e5ea',
    accent: '#0b6450',
  },
  dark: { page: '#0f1216', panel: '#181c22', text: '#eceff3', muted: '#a5adba', line: '#2b313a', accent: '#5fd3ae' },
};

/** Colours as `#rrggbb`. */
export interface Accent {
  button: string;
  buttonHover: string;
  onButton: string;
  /** The colour of links, icons and the focus ring. */
  text: string;
  textHover: string;
  edge: string;
}

export function accentOf(colour: string, theme: Theme): Accent {
  const button = formatHex(colour) ?? colour;
  const onButton = wcagContrast(button, '#ffffff') >= minTextContrast ? '#ffffff' : '#000000';
  const away = theme === 'light' ? -1 : 1;
  const text = readable(button, minTextContrast, theme);
  return {
    button,
    buttonHover: hoverOf(button, onButton),
    onButton,
    text,
    textHover: moved(text, away * hoverStep),
    edge: readable(button, minEdgeContrast, theme),
  };
}

function readable(colour: string, minContrast: number, theme: Theme): string {
  const step = theme === 'light' ? -lightnessStep : lightnessStep;
  const { page, panel } = tokenColours[theme];
  const isReadable = (shown: string) => [page, panel].every((behind) => wcagContrast(shown, behind) >= minContrast);
  for (let shift = 0; Math.abs(shift) <= 1; shift += step) {
    const shown = shift === 0 ? colour : moved(colour, shift);
    if (isReadable(shown)) return shown;
  }
  return theme === 'light' ? '#000000' : '#ffffff';
}

/** On hover, a button's colour moves away from the colour of its text, but black and white move towards it. */
function hoverOf(button: string, onButton: string): string {
  const step = onButton === '#ffffff' ? -hoverStep : hoverStep;
  const away = moved(button, step);
  return wcagContrast(away, button) > 1.05 ? away : moved(button, -3 * step);
}

function moved(colour: string, shift: number): string {
  const { l = 0, c = 0, h } = toOklch(colour) ?? {};
  return formatHex(clampChroma({ mode: 'oklch', l: Math.min(Math.max(l + shift, 0), 1), c, h }, 'oklch'));
}
