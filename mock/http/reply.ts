/** A response of the service before it is encoded: a status, a JSON body (undefined for an empty one) and headers. */
export interface Reply {
  readonly status: number;
  /** Whether the contract may declare another status for this failure. */
  readonly isDeclared?: boolean;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}
