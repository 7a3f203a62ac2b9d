type Color = readonly [red: number, green: number, blue: number];

/** Black or white, whichever has more contrast on the color `#rrggbb`. */
export function readableOn(color: string): '#000000' | '#ffffff' {
  return contrast(color, '#ffffff') >= contrast(color, '#000000') ? '#ffffff' : '#000000';
}

/** Darkens the color until it reaches the contrast ratio on white (WCAG 2.2). */
export function darkenForWhite(color: string, ratio: number): string {
  for (let factor = 1; factor > 0; factor -= 0.05) {
    const darker = hex(parse(color).map((share) => share * factor));
    if (contrast(darker, '#ffffff') >= ratio) return darker;
  }
  return '#000000';
}

function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(parse(one)), luminance(parse(other))].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function parse(color: string): Color {
  const part = (at: number) => parseInt(color.slice(at, at + 2), 16) / 255;
  return [part(1), part(3), part(5)];
}

function hex(shares: readonly number[]): string {
  const digits = shares.map((share) => Math.round(share * 255).toString(16));
  return `#${digits.map((pair) => pair.padStart(2, '0')).join('')}`;
}

/** WCAG 2.2, relative luminance. */
function luminance([red, green, blue]: Color): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function linear(share: number): number {
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}
