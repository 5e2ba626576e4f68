/** The error for a text that is not a query. `position` counts characters from 0. */
export class QueryError extends Error {
  override readonly name = "QueryError";
  readonly position: number;

  constructor(message: string, position: number) {
    super(`parse error at position ${position}: ${message}`);
    this.position = position;
  }
}
