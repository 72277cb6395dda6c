/** A JSON object, as the body of a response. */
export type JsonBody = Readonly<Record<string, unknown>>;
