/**
 * The 44 digits of a boleto's barcode: those of its line (47 digits) in another order, without the check digits of the line's
 * fields. Carta-Circular BCB 2.926/2000.
 */
export function boletoBarcode(line: string): string {
  const part = (start: number, end: number): string => line.slice(start, end);
  return part(0, 4) + part(32, 33) + part(33, 47) + part(4, 9) + part(10, 20) + part(21, 31);
}
