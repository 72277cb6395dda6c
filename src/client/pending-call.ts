import type { Answer, Call, Result } from "./call.ts";

/**
 * The one implementation of {@link Call}. It hands every way of waiting on to one promise of the answer, so that the
 * request is sent once, and so that a failure that nobody waits for is reported as of any promise.
 */
export class PendingCall<Data, Failure> extends Promise<Data> implements Call<Data, Failure> {
  /** What `then`, `catch` and `finally` give is a plain promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  readonly #answer: Promise<Answer<Data>>;

  constructor(answer: Promise<Answer<Data>>) {
    super(() => {});
    this.#answer = answer;
  }

  // biome-ignore lint/suspicious/noThenProperty: a promise is what this class is.
  override then<Kept = Data, Caught = never>(
    onfulfilled?: ((data: Data) => Kept | PromiseLike<Kept>) | null,
    onrejected?: ((reason: unknown) => Caught | PromiseLike<Caught>) | null,
  ): Promise<Kept | Caught> {
    const keep = typeof onfulfilled === "function" ? onfulfilled : (data: Data) => data as unknown as Kept;
    return this.#answer.then((answer) => keep(answer.data), onrejected);
  }

  withResponse(): Promise<Answer<Data>> {
    return this.#answer;
  }

  safe(): Promise<Result<Data, Failure>> {
    return this.#answer.then(
      ({ data }): Result<Data, Failure> => ({ ok: true, data }),
      (error: Failure): Result<Data, Failure> => ({ ok: false, error }),
    );
  }
}
