import { isInvalidInputError } from "../errors/index.ts";
import { type SerializedEvent, serializeEvent } from "./event.ts";
import type { TakeLimit } from "./outbox/index.ts";

/** An event of the source, with its position. */
export interface IndexedEvent extends SerializedEvent {
  readonly index: number;
}

/** An event that cannot be sent. */
export interface InvalidEvent {
  readonly index: number;
  readonly value: unknown;
  readonly message: string;
}

/** A part of the source. Each of its events is in one of the lists. */
export interface ReadBatch {
  readonly events: readonly IndexedEvent[];
  readonly invalid: readonly InvalidEvent[];
}

type Source = AsyncIterator<unknown> | Iterator<unknown>;

/** Reads a source in batches, one at a time, and only when asked to. */
export class EventReader {
  readonly #source: Source;
  readonly #limit: TakeLimit;
  #reading: Promise<unknown> = Promise.resolve();
  #isDone = false;
  #next = 0;
  /** The event that did not fit into the last batch. */
  #kept: IndexedEvent | undefined;

  constructor(source: AsyncIterable<unknown> | Iterable<unknown>, limit: TakeLimit) {
    this.#source = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
    this.#limit = limit;
  }

  /** The number of events that were read. */
  get read(): number {
    return this.#next;
  }

  /** Reads the next batch, after the calls before this one; undefined at the end. */
  next(): Promise<ReadBatch | undefined> {
    const batch = this.#reading.then(() => this.#readBatch());
    this.#reading = batch.catch(() => undefined);
    return batch;
  }

  /** Tells the source that reading has stopped, without waiting for it. */
  stop(): void {
    if (this.#isDone) return;
    this.#isDone = true;
    void (async () => this.#source.return?.())().catch(() => undefined);
  }

  async #readBatch(): Promise<ReadBatch | undefined> {
    const batch = { events: [] as IndexedEvent[], invalid: [] as InvalidEvent[] };
    for (let bytes = 0; batch.events.length + batch.invalid.length < this.#limit.events; ) {
      const event = this.#kept ?? (await this.#readEvent());
      this.#kept = undefined;
      if (event === undefined) break;
      if ("message" in event) {
        batch.invalid.push(event);
        continue;
      }
      bytes += event.bytes;
      if (bytes > this.#limit.bytes && batch.events.length > 0) {
        this.#kept = event;
        break;
      }
      batch.events.push(event);
    }
    return batch.events.length + batch.invalid.length > 0 ? batch : undefined;
  }

  /** Reads one event without waiting if the source is not asynchronous. */
  #readEvent(): IndexedEvent | InvalidEvent | undefined | Promise<IndexedEvent | InvalidEvent | undefined> {
    if (this.#isDone) return undefined;
    const result = this.#source.next();
    return "then" in result ? result.then((each) => this.#accept(each)) : this.#accept(result);
  }

  #accept({ done, value }: IteratorResult<unknown>): IndexedEvent | InvalidEvent | undefined {
    if (done === true) {
      this.#isDone = true;
      return undefined;
    }
    const index = this.#next;
    this.#next += 1;
    try {
      return { ...serializeEvent(value, "ingestAll"), index };
    } catch (error) {
      if (!isInvalidInputError(error)) throw error;
      return { index, value, message: error.message.replace(/^ingestAll: /, "") };
    }
  }
}
