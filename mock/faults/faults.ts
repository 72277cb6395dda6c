import { omitUndefined } from "../options/shape.ts";
import type { IdGenerator } from "../state/id-generator.ts";
import { checkFault } from "./check.ts";
import type { Fault, FaultInput, Faults } from "./fault.ts";

interface Armed {
  readonly input: FaultInput;
  readonly id: string;
  skipped: number;
  struck: number;
}

/** The failures of one mock, and which of them strikes next. */
export class ArmedFaults implements Faults {
  readonly #armed = new Map<string, Armed>();
  readonly #ids: IdGenerator;
  #count = 0;
  #revision = 0;

  /** @param ids Draws for `probability`. */
  constructor(ids: IdGenerator) {
    this.#ids = ids;
  }

  /** Whether none is switched on. */
  get quiet(): boolean {
    return this.#armed.size === 0;
  }

  /** Another number after every change, strikes among them. */
  get revision(): number {
    return this.#revision;
  }

  /** Switches a failure on. */
  add(input: FaultInput, operations: ReadonlySet<string>): Fault {
    checkFault(input, operations);
    this.#count += 1;
    this.#revision += 1;
    const armed: Armed = { input: omitUndefined(input), id: `fault-${this.#count}`, skipped: 0, struck: 0 };
    this.#armed.set(armed.id, armed);
    return shown(armed);
  }

  /** The failure that strikes a request to an operation; undefined when none does. */
  strike(operation: string | undefined): Fault | undefined {
    let striking: Armed | undefined;
    for (const armed of this.#armed.values()) {
      if (!matches(armed, operation) || this.#skips(armed)) continue;
      if (!striking && this.#isDrawn(armed)) striking = armed;
    }
    return striking && this.#strikeWith(striking);
  }

  list(): readonly Fault[] {
    return [...this.#armed.values()].map(shown);
  }

  remove(id: string): boolean {
    this.#revision += 1;
    return this.#armed.delete(id);
  }

  clear(): void {
    this.#revision += 1;
    this.#armed.clear();
  }

  #skips(armed: Armed): boolean {
    if (armed.skipped >= (armed.input.skip ?? 0)) return false;
    armed.skipped += 1;
    this.#revision += 1;
    return true;
  }

  #isDrawn({ input: { probability } }: Armed): boolean {
    return probability === undefined || this.#ids.fraction() < probability;
  }

  #strikeWith(armed: Armed): Fault {
    armed.struck += 1;
    this.#revision += 1;
    if (armed.struck >= (armed.input.times ?? Number.POSITIVE_INFINITY)) this.#armed.delete(armed.id);
    return shown(armed);
  }
}

function matches({ input }: Armed, operation: string | undefined): boolean {
  return input.operation === undefined || input.operation === operation;
}

function shown({ input, id, skipped, struck }: Armed): Fault {
  return { ...input, id, skipped, struck };
}
