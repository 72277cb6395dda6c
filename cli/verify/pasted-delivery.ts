/** A delivery that somebody pasted. */
export interface PastedDelivery {
  readonly headers: Readonly<Record<string, string>>;
  /** A string or bytes, if the body is raw. */
  readonly body: unknown;
  /** The time of its arrival, in milliseconds since 1970; undefined if the input does not contain it. */
  readonly receivedAt?: number;
}
