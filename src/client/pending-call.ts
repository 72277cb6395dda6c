import type { Call, CallResponse, Result } from "./call.ts";

/** The symbol by which Node.js, Deno and Bun let an object say how it is printed. */
const inspectSymbol: unique symbol = Symbol.for("nodejs.util.inspect.custom") as never;

type Inspect = (value: unknown, options: unknown) => string;

/**
 * The one implementation of {@link Call}. It hands every way of waiting on to one promise of the answer, so that the
 * request is sent once, and so that a failure that nobody waits for is reported as of any promise.
 */
export class PendingCall<Data, Failure> extends Promise<Data> implements Call<Data, Failure> {
  /** What `then`, `catch` and `finally` give is a plain promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  readonly #answer: Promise<CallResponse<Data>>;
  #data: Promise<Data> | undefined;

  constructor(answer: Promise<CallResponse<Data>>) {
    super(() => {});
    this.#answer = answer;
  }

  /** Two plain steps: a handler that wraps `onfulfilled` hides from the stack of an error who waits for the call. */
  // biome-ignore lint/suspicious/noThenProperty: a promise is what this class is.
  override then<Kept = Data, Caught = never>(
    onfulfilled?: ((data: Data) => Kept | PromiseLike<Kept>) | null,
    onrejected?: ((reason: unknown) => Caught | PromiseLike<Caught>) | null,
  ): Promise<Kept | Caught> {
    this.#data ??= this.#answer.then(({ data }) => data);
    return this.#data.then(onfulfilled, onrejected);
  }

  withResponse(): Promise<CallResponse<Data>> {
    return this.#answer;
  }

  safe(): Promise<Result<Data, Failure>> {
    return this.#answer.then(
      ({ data }): Result<Data, Failure> => ({ ok: true, data }),
      (error: Failure): Result<Data, Failure> => ({ ok: false, error }),
    );
  }

  /** Prints the state of the request: the promise underneath never settles, since nobody waits for it. */
  [inspectSymbol](_depth: number, options: unknown, inspect: Inspect): string {
    return inspect(this.#data ?? this.#answer, options).replace(/^Promise/, "Call");
  }
}
