import type { IdGenerator } from "../state/ids.ts";
import { frozenJson } from "../validation/parse-body.ts";
import type { Fault, FaultInput, Faults } from "./fault.ts";
import { requireFault } from "./require-fault.ts";

interface ArmedFault {
  readonly input: FaultInput;
  readonly id: string;
  skipped: number;
  struck: number;
}

/** Holds the active faults of a mock, and selects the one that fails a request. */
export class ArmedFaults implements Faults {
  readonly #armed = new Map<string, ArmedFault>();
  readonly #random: IdGenerator;
  readonly #start: ReturnType<IdGenerator["save"]>;
  #added = 0;
  #revision = 0;

  /** @param random The source of random numbers for `probability`. */
  constructor(random: IdGenerator) {
    this.#random = random;
    this.#start = random.save();
  }

  /** Changes with every change to the faults, including failed requests. */
  get revision(): number {
    return this.#revision;
  }

  /** Adds a fault. */
  add(input: FaultInput, operations: ReadonlySet<string>): Fault {
    requireFault(input, operations);
    const given = frozenJson(input, "fault") as FaultInput;
    const armed: ArmedFault = { input: given, id: `fault-${this.#added + 1}`, skipped: 0, struck: 0 };
    this.#added += 1;
    this.#revision += 1;
    this.#armed.set(armed.id, armed);
    return toFault(armed);
  }

  /** Returns the fault that fails a request to an operation; undefined if none does. */
  strike(operation: string | undefined): Fault | undefined {
    let striking: ArmedFault | undefined;
    for (const armed of this.#armed.values()) {
      const { operation: only, skip = 0, probability } = armed.input;
      if (only !== undefined && only !== operation) continue;
      if (armed.skipped < skip) this.#count(armed, "skipped");
      else if (!striking && (probability === undefined || this.#random.fraction() < probability)) striking = armed;
    }
    if (!striking) return undefined;
    this.#count(striking, "struck");
    if (striking.struck >= (striking.input.times ?? Number.POSITIVE_INFINITY)) this.#armed.delete(striking.id);
    return toFault(striking);
  }

  list(): readonly Fault[] {
    return [...this.#armed.values()].map(toFault);
  }

  remove(id: string): boolean {
    this.#revision += 1;
    return this.#armed.delete(id);
  }

  /** Removes all faults. Those added afterwards fail the same requests as at the start. */
  clear(): void {
    this.#random.load(this.#start);
    this.#revision += 1;
    this.#armed.clear();
  }

  #count(armed: ArmedFault, what: "skipped" | "struck"): void {
    armed[what] += 1;
    this.#revision += 1;
  }
}

function toFault({ input, id, skipped, struck }: ArmedFault): Fault {
  return { ...input, id, skipped, struck };
}
