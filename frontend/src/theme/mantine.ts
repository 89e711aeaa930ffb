// Mantine's widgets in the roles of tokens.css.
import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

const dark: MantineColorsTuple = [
  '#e6e8eb',
  '#c6cbd2',
  '#a3abb7',
  '#8a939f',
  '#4a5260',
  '#2a2f38',
  '#1c2027',
  '#15181d',
  '#0e1013',
  '#0a0c0e',
];
const accent: MantineColorsTuple = [
  '#eaf1ff',
  '#d3e0fd',
  '#b9cefb',
  '#9fbbf9',
  '#8caef8',
  '#7aa2f7',
  '#7aa2f7',
  '#5f8bec',
  '#4a78dc',
  '#3866c9',
];

export const theme = createTheme({
  fontFamily: "Inter, 'Segoe UI', system-ui, sans-serif",
  fontFamilyMonospace: "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace",
  colors: { dark, accent },
  primaryColor: 'accent',
  primaryShade: 5,
  autoContrast: true,
  defaultRadius: 7,
  fontSizes: { xs: '11px', sm: '12px', md: '13px', lg: '15px', xl: '18px' },
  respectReducedMotion: true,
});

export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {},
  dark: {
    '--mantine-color-body': 'var(--panel)',
    '--mantine-color-text': 'var(--ink)',
    '--mantine-color-dimmed': 'var(--soft)',
    '--mantine-color-placeholder': 'var(--faint)',
    '--mantine-color-default': 'var(--raised)',
    '--mantine-color-default-border': 'var(--rule)',
    '--mantine-color-default-hover': 'var(--rule)',
  },
});
