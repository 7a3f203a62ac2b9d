import '@mantine/charts/styles.css';

/** The table beside a chart is what keyboards and screen readers use. */
export const PICTURE_ONLY = { accessibilityLayer: false } as const;

export const CHART_HEIGHT = 280;
