import { isValidBoleto } from '@brazilian-utils/brazilian-utils/is-valid-boleto';
import { lineOfBarcode } from '../../../src/gateways/boletos/boleto-line';

describe('the line of a boleto', () => {
  it('has the digits of the barcode with a check digit for each field', () => {
    const line = lineOfBarcode('00196758600001026560000001149718606852452211');
    expect(line).toBe('00190000090114971860168524522114675860000102656');
    expect(isValidBoleto(line ?? '')).toBe(true);
  });

  it.each(['', '1'.repeat(43), '1'.repeat(45), `${'1'.repeat(43)}x`])('is none for %j', (text) => {
    expect(lineOfBarcode(text)).toBeNull();
  });
});
