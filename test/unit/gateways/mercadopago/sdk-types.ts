import { join } from 'node:path';
import ts from 'typescript';
import { projectRoot } from '../../../../src/paths';

/** Where a value breaks a type of Mercado Pago's SDK: unknown properties and wrong types. Its types have no required ones. */
export class SdkTypes {
  private readonly checker: ts.TypeChecker;
  private readonly exports: ReadonlyMap<string, ts.Type>;

  /** @param file below the SDK's `dist/clients` */
  constructor(file: string) {
    const path = join(projectRoot, 'node_modules/mercadopago/dist/clients', file);
    const options: ts.CompilerOptions = {
      lib: ['lib.es5.d.ts'],
      types: [],
      skipLibCheck: true,
      strict: true,
    };
    const program = ts.createProgram([path], options);
    this.checker = program.getTypeChecker();
    const source = program.getSourceFile(path);
    const module = source && this.checker.getSymbolAtLocation(source);
    if (module === undefined) throw new Error(`the SDK has no ${file}`);
    this.exports = new Map(
      this.checker
        .getExportsOfModule(module)
        .map((symbol) => [symbol.name, this.checker.getDeclaredTypeOfSymbol(symbol)]),
    );
  }

  problems(value: unknown, name: string): string[] {
    const type = this.exports.get(name);
    if (type === undefined) throw new Error(`the SDK has no type ${name}`);
    return this.check(value, type, name);
  }

  private check(value: unknown, type: ts.Type, path: string): string[] {
    if (type.flags & ts.TypeFlags.Any) return [];
    if (type.isUnion()) {
      const attempts = type.types.map((each) => this.check(value, each, path));
      return attempts.some((problems) => problems.length === 0) ? [] : (attempts.at(-1) ?? []);
    }
    const wrong = [`${path} is ${typeof value} in place of ${this.checker.typeToString(type)}`];
    if (type.isStringLiteral()) return value === type.value ? [] : wrong;
    if (type.flags & ts.TypeFlags.String) return typeof value === 'string' ? [] : wrong;
    if (type.flags & ts.TypeFlags.Number) return typeof value === 'number' ? [] : wrong;
    if (type.flags & ts.TypeFlags.BooleanLike)
      return this.checker.typeToString(type) === String(value) ? [] : wrong;
    if (this.checker.isArrayType(type)) {
      const [item] = this.checker.getTypeArguments(type as ts.TypeReference);
      if (!Array.isArray(value) || item === undefined) return wrong;
      return value.flatMap((each, index) => this.check(each, item, `${path}[${index}]`));
    }
    if (typeof value !== 'object' || value === null) return wrong;
    return Object.entries(value).flatMap(([name, each]) => {
      const property = type.getProperty(name);
      if (property === undefined) return [`${path}.${name} is unknown`];
      return this.check(each, this.checker.getTypeOfSymbol(property), `${path}.${name}`);
    });
  }
}
