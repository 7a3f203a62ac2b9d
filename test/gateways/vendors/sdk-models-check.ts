/** Names and types of an SDK's models: `string|null?`, `array(@model)`, `dict(string)`; `?` is optional, `|null` nullable. */
export interface SdkModels {
  readonly models: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

type Hash = Readonly<Record<string, unknown>>;
const isHash = (value: unknown): value is Hash =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The kinds of a transaction, by its type. */
const TRANSACTIONS: Readonly<Record<string, string>> = {
  credit_card: 'getCreditCardTransactionResponse',
  pix: 'getPixTransactionResponse',
  boleto: 'getBoletoTransactionResponse',
};

/** Where a value breaks a model: unknown fields, wrong types, null where there may be none. Fields may be missing. */
export class SdkModelsCheck {
  constructor(private readonly document: SdkModels) {}

  problems(value: unknown, model: string): string[] {
    return this.checkModel(value, model, model);
  }

  private checkModel(value: unknown, name: string, path: string): string[] {
    if (!isHash(value)) return [`${path} is no object`];
    const model = this.document.models[modelOf(name, value)];
    // A model that the reference data leaves out.
    if (model === undefined) return [];
    return Object.entries(value).flatMap(([field, inner]) => {
      const type = model[field];
      return type === undefined
        ? [`${path}.${field} is unknown`]
        : this.check(inner, type, `${path}.${field}`);
    });
  }

  private check(value: unknown, given: string, path: string): string[] {
    const type = given.replace(/\?$/, '');
    if (value === null || value === undefined)
      return type.endsWith('|null') ? [] : [`${path} is ${String(value)}`];
    const plain = type.replace(/\|null$/, '');
    const [, list] = /^array\((.*)\)$/.exec(plain) ?? [];
    if (list !== undefined) {
      return Array.isArray(value)
        ? value.flatMap((item, index) => this.check(item, list, `${path}[${index}]`))
        : [`${path} is no list`];
    }
    const [, dictionary] = /^dict\((.*)\)$/.exec(plain) ?? [];
    if (dictionary !== undefined) {
      return isHash(value)
        ? Object.entries(value).flatMap(([key, inner]) => this.check(inner, dictionary, `${path}.${key}`))
        : [`${path} is no object`];
    }
    if (plain.startsWith('@')) return this.checkModel(value, plain.slice(1), path);
    if (plain === 'unknown') return [];
    const expected = plain === 'bigint' ? 'number' : plain;
    return typeof value === expected ? [] : [`${path} is ${typeof value}, not ${plain}`];
  }
}

function modelOf(name: string, value: Hash): string {
  if (name !== 'discriminatedGetTransactionResponse') return name;
  return TRANSACTIONS[String(value.transaction_type)] ?? name;
}
