import { asResponse } from "./as-response.ts";
import type { Answer, Call, CallResponse, Result } from "./call.ts";

/** The symbol of the method that Node.js, Deno and Bun call to print an object. */
const inspectSymbol: unique symbol = Symbol.for("nodejs.util.inspect.custom") as never;

type Inspect = (value: unknown, options: unknown) => string;

/**
 * Implements {@link Call}. Every way to await it uses the same promise of the response, so that the request is sent once
 * and an unhandled failure is reported like that of any promise.
 */
export class PendingCall<Data, Failure> extends Promise<Data> implements Call<Data, Failure> {
  /** Makes `then`, `catch` and `finally` return plain promises. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  readonly #answer: Promise<Answer<Data>>;
  #data: Promise<Data> | undefined;

  constructor(answer: Promise<Answer<Data>>) {
    super(() => {});
    this.#answer = answer;
  }

  /** Chains two plain steps: a handler that wraps `onfulfilled` would hide the caller from the stack of an error. */
  // biome-ignore lint/suspicious/noThenProperty: this class is a promise.
  override then<Kept = Data, Caught = never>(
    onfulfilled?: ((data: Data) => Kept | PromiseLike<Kept>) | null,
    onrejected?: ((reason: unknown) => Caught | PromiseLike<Caught>) | null,
  ): Promise<Kept | Caught> {
    this.#data ??= this.#answer.then(({ data }) => data);
    return this.#data.then(onfulfilled, onrejected);
  }

  withResponse(): Promise<CallResponse<Data>> {
    return this.#answer.then((answer) => ({ ...answer, response: asResponse(answer.response) }));
  }

  safe(): Promise<Result<Data, Failure>> {
    return this.#answer.then(
      ({ data }): Result<Data, Failure> => ({ ok: true, data }),
      (error: Failure): Result<Data, Failure> => ({ ok: false, error }),
    );
  }

  /** Prints the state of the request. The underlying promise never settles. */
  [inspectSymbol](_depth: number, options: unknown, inspect: Inspect): string {
    return inspect(this.#data ?? this.#answer, options).replace(/^Promise/, "Call");
  }
}
