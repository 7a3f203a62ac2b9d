import '@mantine/charts/styles.css';

/** Keyboards and screen readers use the table next to a chart. */
export const NO_ACCESSIBILITY_LAYER = { accessibilityLayer: false } as const;

export const CHART_HEIGHT = 280;
