/** A line that is being sent. */
export interface LineInFlight {
  readonly number: number;
  /** The line, or its first {@link MAX_TEXT} characters. */
  readonly text: string;
  /** The reason if it cannot be sent; undefined for an event. */
  readonly reason: string | undefined;
  /** Whether the event has no `external_id`. */
  readonly lacksId: boolean;
}

/** A position between two lines up to which everything is stored or rejected. */
export interface Checkpoint {
  readonly line: number;
  readonly digest: string;
}

interface Mark extends Checkpoint {
  /** The number of events before the position. */
  readonly index: number;
}

/** The maximum length of the text that is kept of a line, in characters. */
export const MAX_TEXT = 65_536;

/** More than a batch, so that some of these lines are in a request and will leave the window. */
const MIN_LINES = 1_000;
const MAX_LINES = 50_000;
const MAX_CHARACTERS = 64 * 1024 * 1024;

/** The lines that were read and are not yet settled, in the order of the input. */
export class LineWindow {
  readonly #lines = new Map<number, LineInFlight>();
  readonly #marks: Mark[] = [];
  #next = 0;
  #settled = 0;
  #characters = 0;
  #checkpoint: Checkpoint | undefined;
  #isOpen = false;
  #wake: () => void = () => {};

  /** The last position that is settled; undefined before the first. */
  get checkpoint(): Checkpoint | undefined {
    return this.#checkpoint;
  }

  /** Adds the next line. */
  add(line: LineInFlight): void {
    this.#lines.set(this.#next, line);
    this.#next += 1;
    this.#characters += line.text.length;
  }

  /** Returns a line by its position among the added lines, from 0. */
  get(index: number): LineInFlight | undefined {
    return this.#lines.get(index);
  }

  /** Notes a position after the last added line. */
  mark(checkpoint: Checkpoint): void {
    this.#marks.push({ ...checkpoint, index: this.#next });
    this.settle(this.#settled);
  }

  /** Removes the first lines, which are stored or rejected. */
  settle(settled: number): void {
    for (let index = this.#settled; index < settled; index++) {
      this.#characters -= this.#lines.get(index)?.text.length ?? 0;
      this.#lines.delete(index);
    }
    this.#settled = settled;
    while (this.#marks[0] !== undefined && this.#marks[0].index <= settled) this.#checkpoint = this.#marks.shift();
    this.#wake();
  }

  /** Waits while too many lines are in flight, for example because one request fails again and again. */
  async room(): Promise<void> {
    while (this.#isFull()) await new Promise<void>((resolve) => (this.#wake = resolve));
  }

  /** Ends waiting for good. */
  open(): void {
    this.#isOpen = true;
    this.#wake();
  }

  #isFull(): boolean {
    if (this.#isOpen || this.#lines.size <= MIN_LINES) return false;
    return this.#lines.size > MAX_LINES || this.#characters > MAX_CHARACTERS;
  }
}
