/** Where activities report what people should see. Fields pass the allow-list of `src/log.ts`. */
export interface Log {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
