import { DataTypes, type Attributes, type CreationAttributes, type Model, type ModelStatic } from 'sequelize';
import type { Database, Tx } from './transaction';

/** Rows whose attributes have these values; a list matches any of its members. */
type Where<M extends Model> = {
  readonly [A in keyof Attributes<M>]?:
    | Extract<Attributes<M>[A], string | number>
    | readonly Extract<Attributes<M>[A], string | number>[];
};

/** A change as SQL, which adds its parameters to `values`. */
export type PreparedChange = (values: unknown[]) => string;

/** A query as SQL, which adds its parameters to `values`. */
export type PreparedQuery = (values: unknown[]) => string;

interface Column {
  /** Quoted. */
  readonly name: string;
  readonly isJson: boolean;
}

/**
 * A model's table accessed by prepared statements. Rows are plain objects with the model's attributes. The SQL depends
 * only on which attributes are given. Inserts set `createdAt` and `updatedAt` to now unless given; other defaults are the
 * table's. Updates change `updatedAt` only if given.
 */
export class PreparedTable<M extends Model, Computed extends object = object> {
  private readonly table: string;
  private readonly columns: ReadonlyMap<string, Column>;
  /** Every column under its attribute's name. */
  private readonly row: string;
  private readonly timestamps: readonly string[];

  constructor(
    private readonly db: Database,
    model: ModelStatic<M>,
    /** SQL expressions over the row that are read with it, by name. */
    computed: { readonly [name in keyof Computed & string]: string } = {} as never,
  ) {
    this.table = `"${model.tableName}"`;
    this.columns = columnsOf(model);
    this.row = [
      ...Array.from(this.columns, ([attribute, { name }]) => [attribute, name] as const),
      ...Object.entries<string>(computed),
    ]
      .map(([name, expression]) => `${expression} AS "${name}"`)
      .join(', ');
    this.timestamps = ['createdAt', 'updatedAt'].filter((attribute) => this.columns.has(attribute));
  }

  async insert(row: CreationAttributes<M>, tx: Tx): Promise<void> {
    const values: unknown[] = [];
    await this.db.execute(this.insertion(row, values), values, tx);
  }

  /** Inserts a row and changes another row by one statement; neither change sees the other. */
  async insertWith(row: CreationAttributes<M>, change: PreparedChange, tx: Tx): Promise<void> {
    const values: unknown[] = [];
    await this.db.execute(`WITH changed AS (${change(values)}) ${this.insertion(row, values)}`, values, tx);
  }

  /** The same, and reads a row as it was before the statement. */
  async insertAndRead<Read extends object>(
    row: CreationAttributes<M>,
    change: PreparedChange,
    query: PreparedQuery,
    tx: Tx,
  ): Promise<Read | null> {
    const values: unknown[] = [];
    const changes = `changed AS (${change(values)}), inserted AS (${this.insertion(row, values)})`;
    return this.db.queryOne<Read>(`WITH ${changes} ${query(values)}`, values, tx);
  }

  /** Inserts a row and returns it with the table's defaults. */
  async insertReturning(row: CreationAttributes<M>, tx: Tx): Promise<Attributes<M> & Computed> {
    const values: unknown[] = [];
    const sql = `${this.insertion(row, values)} RETURNING ${this.row}`;
    return inserted(await this.db.queryOne<Attributes<M> & Computed>(sql, values, tx));
  }

  /**
   * Inserts a row and returns it, reading only the columns that `row` does not give. `others` are changes of other rows, made
   * by the same statement.
   */
  async insertWithDefaults(
    row: CreationAttributes<M>,
    others: readonly PreparedChange[],
    tx: Tx,
  ): Promise<Attributes<M>> {
    const values: unknown[] = [];
    const given = this.definedRow(row);
    const defaults = Array.from(this.columns).filter(([attribute]) => !(attribute in given));
    const tables = others.map((change, index) => `changed${index} AS (${change(values)})`);
    const first = tables.length === 0 ? '' : `WITH ${tables.join(', ')} `;
    const returned = defaults.map(([attribute, { name }]) => `${name} AS "${attribute}"`).join(', ');
    const sql = `${first}${this.insertion(given, values)} RETURNING ${returned}`;
    return { ...given, ...inserted(await this.db.queryOne<Attributes<M>>(sql, values, tx)) };
  }

  /** An insert as a part of another statement. */
  inserting(row: CreationAttributes<M>): PreparedChange {
    return (values) => this.insertion(row, values);
  }

  /** By a unique key. */
  async findOne(where: Where<M>, tx?: Tx): Promise<(Attributes<M> & Computed) | null> {
    const values: unknown[] = [];
    return this.db.queryOne<Attributes<M> & Computed>(this.selection(where, values), values, tx);
  }

  /** By a unique key, locked until the transaction ends. */
  async lockOne(where: Where<M>, tx: Tx): Promise<(Attributes<M> & Computed) | null> {
    const values: unknown[] = [];
    return this.db.queryOne<Attributes<M> & Computed>(
      `${this.selection(where, values)} FOR UPDATE`,
      values,
      tx,
    );
  }

  /** In ascending order of `orderBy`. */
  async findAll(
    where: Where<M>,
    orderBy: readonly (keyof Attributes<M> & string)[],
    tx?: Tx,
  ): Promise<(Attributes<M> & Computed)[]> {
    const values: unknown[] = [];
    const sql = `${this.selection(where, values)} ${this.order(orderBy)}`;
    return this.db.query<Attributes<M> & Computed>(sql, values, tx);
  }

  /** Like `findAll`, by an SQL condition that is a constant of the code. */
  async findAllBy(
    condition: string,
    values: readonly unknown[],
    orderBy: readonly (keyof Attributes<M> & string)[],
    tx?: Tx,
  ): Promise<(Attributes<M> & Computed)[]> {
    const sql = `SELECT ${this.row} FROM ${this.table} WHERE ${condition} ${this.order(orderBy)}`;
    return this.db.query<Attributes<M> & Computed>(sql, values, tx);
  }

  /** Updates the given attributes; undefined ones stay unchanged. Returns the number of rows. */
  async update(change: Partial<Attributes<M>>, where: Where<M>, tx: Tx): Promise<number> {
    const values: unknown[] = [];
    return this.db.execute(this.updating(change, where)(values), values, tx);
  }

  /** The same as a part of another statement. */
  updating(change: Partial<Attributes<M>>, where: Where<M>): PreparedChange {
    return (values) => {
      const assignments = definedEntries(change).map(([attribute, value]) => {
        return `${this.column(attribute).name} = ${this.bind(attribute, value, values)}`;
      });
      return `UPDATE ${this.table} SET ${assignments.join(', ')} WHERE ${this.condition(where, values)}`;
    };
  }

  private definedRow(row: object): object {
    const now = new Date();
    const dates = Object.fromEntries(this.timestamps.map((attribute) => [attribute, now] as const));
    return Object.fromEntries(definedEntries({ ...dates, ...row }));
  }

  private insertion(row: object, values: unknown[]): string {
    const entries = Object.entries(this.definedRow(row));
    const names = entries.map(([attribute]) => this.column(attribute).name);
    const placeholders = entries.map(([attribute, value]) => this.bind(attribute, value, values));
    return `INSERT INTO ${this.table} (${names.join(', ')}) VALUES (${placeholders.join(', ')})`;
  }

  private selection(where: Where<M>, values: unknown[]): string {
    return `SELECT ${this.row} FROM ${this.table} WHERE ${this.condition(where, values)}`;
  }

  private order(by: readonly string[]): string {
    return `ORDER BY ${by.map((attribute) => this.column(attribute).name).join(', ')}`;
  }

  private condition(where: Where<M>, values: unknown[]): string {
    const clauses = definedEntries(where).map(([attribute, value]) => {
      const placeholder = `$${values.push(value)}`;
      const { name } = this.column(attribute);
      return Array.isArray(value) ? `${name} = ANY(${placeholder})` : `${name} = ${placeholder}`;
    });
    return clauses.join(' AND ');
  }

  /** Adds a parameter for a column and returns its placeholder. */
  private bind(attribute: string, value: unknown, values: unknown[]): string {
    const serialized = this.column(attribute).isJson && value !== null ? JSON.stringify(value) : value;
    return `$${values.push(serialized)}`;
  }

  /** Attribute names become SQL, so only those of the model are accepted. */
  private column(attribute: string): Column {
    const column = this.columns.get(attribute);
    if (column === undefined) throw new Error(`${this.table} has no attribute ${attribute}`);
    return column;
  }
}

function inserted<Row>(row: Row | null): Row {
  if (row === null) throw new Error('an insert returned no row');
  return row;
}

function columnsOf<M extends Model>(model: ModelStatic<M>): ReadonlyMap<string, Column> {
  const attributes = Object.entries(model.getAttributes<Model>());
  return new Map(
    attributes.map(([attribute, { field = attribute, type }]) => [
      attribute,
      { name: `"${field}"`, isJson: type instanceof DataTypes.JSONB },
    ]),
  );
}

function definedEntries(row: object): [string, unknown][] {
  return Object.entries(row).filter(([, value]) => value !== undefined);
}
