/**
 * The line that a person types, from the barcode of a boleto: the same digits in another order, with a check digit after each of
 * the first three fields (Carta-Circular BCB 2.926/2000). Null if it is no barcode of 44 digits.
 */
export function lineOfBarcode(barcode: string): string | null {
  if (!/^\d{44}$/.test(barcode)) return null;
  const part = (start: number, end?: number): string => barcode.slice(start, end);
  const fields = [part(0, 4) + part(19, 24), part(24, 34), part(34, 44)];
  return [...fields.map((field) => field + checkDigit(field)), part(4, 5), part(5, 19)].join('');
}

/** Modulo 10: from the right, every other digit counts twice. */
function checkDigit(field: string): string {
  const sum = [...field].reverse().reduce((total, digit, index) => {
    const product = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (product > 9 ? product - 9 : product);
  }, 0);
  return String((10 - (sum % 10)) % 10);
}
