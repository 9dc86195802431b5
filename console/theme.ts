import { createTheme, type CSSVariablesResolver, type MantineColorsTuple, type MantineThemeOverride } from '@mantine/core'

/** The one accent: everything that can be acted on, and nothing else. */
const petrol: MantineColorsTuple = ['#eef7f9', '#dcecf0', '#b9d9e2', '#93c5d3', '#72b3c6', '#5aa5bb', '#43899f', '#2d768d', '#1b667d', '#0d5268']
const gray: MantineColorsTuple = ['#f7f8f9', '#eff1f3', '#e4e7ea', '#d5d9de', '#bcc3ca', '#98a1ab', '#6f7a85', '#535d67', '#373f47', '#1f252b']
const dark: MantineColorsTuple = ['#d3d8dd', '#b3bac1', '#8f98a1', '#68717b', '#414a53', '#323a42', '#262d34', '#1c2228', '#161b20', '#101418']

/** System fonts only: nothing is loaded for a letter, and Korean and Chinese look as they do everywhere on the machine. */
const latin = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans"'

/** What warns and what failed looks the same everywhere. */
const alerts: Readonly<Record<string, Readonly<Record<`--alert-${'bg' | 'bd' | 'color'}`, string>>>> = {
  orange: { '--alert-bg': 'var(--warning-soft)', '--alert-bd': '1px solid var(--warning-line)', '--alert-color': 'var(--warning-text)' },
  red: { '--alert-bg': 'var(--bad-soft)', '--alert-bd': '1px solid transparent', '--alert-color': 'var(--bad-text)' },
}

export const theme: MantineThemeOverride = createTheme({
  colors: { petrol, gray, dark },
  primaryColor: 'petrol',
  primaryShade: { light: 8, dark: 7 },
  fontFamily: `${latin}, var(--letters-of-language), sans-serif`,
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.5', lg: '1.5', xl: '1.35' },
  headings: {
    fontWeight: '600',
    sizes: { h1: { fontSize: '20px', lineHeight: '1.35' }, h2: { fontSize: '15px', lineHeight: '1.4' }, h3: { fontSize: '14px', lineHeight: '1.4' } },
  },
  defaultRadius: 'sm',
  radius: { xs: '3px', sm: '6px', md: '8px', lg: '12px' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  components: {
    Alert: { vars: (_: unknown, { color }: { readonly color?: string }) => ({ root: alerts[color ?? ''] ?? {} }) },
    Tooltip: { defaultProps: { withinPortal: false } },
  },
})

/** Of buttons that take away for good: white stands on it in both schemes. */
const danger = { '--mantine-color-red-filled': '#c92a2a', '--mantine-color-red-filled-hover': '#b02525' }

/** Contrast of at least 4.5 to 1 for every text, in both schemes. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...danger,
    '--mantine-color-dimmed': '#5b6570',
    '--mantine-color-error': '#b4232a',
    '--mantine-color-anchor': petrol[8],
    '--surface': '#ffffff',
    '--surface-sunken': '#f6f7f9',
    '--surface-raised': '#ffffff',
    '--line': '#e1e5e9',
    '--line-strong': '#c3cad1',
    '--accent-text': petrol[8],
    '--accent-soft': '#e4f1f5',
    '--warning-text': '#7a4a00',
    '--warning-soft': '#fdf3df',
    '--warning-line': '#e9cf98',
    '--good-text': '#22693a',
    '--bad-text': '#b4232a',
    '--bad-soft': '#fdeceb',
    '--mark-soft': '#fbe3e4',
  },
  dark: {
    ...danger,
    '--mantine-color-body': dark[8],
    '--mantine-color-dimmed': '#9aa4ae',
    '--mantine-color-error': '#ff9a9a',
    '--mantine-color-anchor': petrol[4],
    '--surface': dark[8],
    '--surface-sunken': dark[9],
    '--surface-raised': dark[7],
    '--line': '#2b333b',
    '--line-strong': '#4a545e',
    '--accent-text': '#8cc9da',
    '--accent-soft': '#17323c',
    '--warning-text': '#f0c674',
    '--warning-soft': '#2e2615',
    '--warning-line': '#5d4b22',
    '--good-text': '#86d19b',
    '--bad-text': '#ff9a9a',
    '--bad-soft': '#33201f',
    '--mark-soft': '#4a2427',
  },
})

const KEPT_THEME = 'mantine-color-scheme-value'

/** Before the first paint, so that nothing flashes; the provider takes over from there. */
export function applyKeptTheme(): void {
  const kept = localStorage.getItem(KEPT_THEME)
  const isDark = kept === 'dark' || (kept !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light')
}
