/**
 * The active codes of ISO 4217 (list one of 2026-01-01) by the number of decimals of their minor unit. Codes without a
 * minor unit, such as gold (XAU) and the test code XTS, are not amounts of money here.
 */
const CODES_BY_DECIMALS: ReadonlyMap<number, string> = new Map([
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [
    2,
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY ' +
      'COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ' +
      'ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN ' +
      'MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE ' +
      'SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ' +
      'ZMW ZWG',
  ],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
]);

const DECIMALS: ReadonlyMap<string, number> = new Map(
  [...CODES_BY_DECIMALS].flatMap(([decimals, codes]) => codes.split(' ').map((code) => [code, decimals])),
);

/** Whether `code` is an active ISO 4217 code that money can be charged in. */
export function isCurrency(code: string): boolean {
  return DECIMALS.has(code);
}

/** The decimals of a currency's minor unit: 2 for BRL, 0 for JPY, 3 for KWD. A code that is not active has 2. */
export function currencyDecimals(code: string): number {
  return DECIMALS.get(code) ?? 2;
}

/** An amount in minor units as a decimal number, for display only: 1990 in BRL is 19.9. */
export function majorUnits(amount: number, currency: string): number {
  return amount / 10 ** currencyDecimals(currency);
}
