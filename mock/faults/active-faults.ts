import type { IdGenerator } from "../state/ids.ts";
import { frozenJson } from "../validation/parse-body.ts";
import type { Fault, FaultInput, Faults } from "./fault.ts";
import { requireFault } from "./require-fault.ts";

interface ActiveFault {
  readonly input: FaultInput;
  readonly id: string;
  skipped: number;
  hits: number;
}

/** Holds the active faults of a mock, and selects the one that fails a request. */
export class ActiveFaults implements Faults {
  readonly #active = new Map<string, ActiveFault>();
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
    const fault: ActiveFault = { input: given, id: `fault-${this.#added + 1}`, skipped: 0, hits: 0 };
    this.#added += 1;
    this.#revision += 1;
    this.#active.set(fault.id, fault);
    return toFault(fault);
  }

  /** Returns the fault that fails a request to an operation; undefined if none does. */
  apply(operation: string | undefined): Fault | undefined {
    let hit: ActiveFault | undefined;
    for (const fault of this.#active.values()) {
      const { operation: only, skip = 0, probability } = fault.input;
      if (only !== undefined && only !== operation) continue;
      if (fault.skipped < skip) this.#count(fault, "skipped");
      else if (!hit && (probability === undefined || this.#random.fraction() < probability)) hit = fault;
    }
    if (!hit) return undefined;
    this.#count(hit, "hits");
    if (hit.hits >= (hit.input.times ?? Number.POSITIVE_INFINITY)) this.#active.delete(hit.id);
    return toFault(hit);
  }

  list(): readonly Fault[] {
    return [...this.#active.values()].map(toFault);
  }

  remove(id: string): boolean {
    this.#revision += 1;
    return this.#active.delete(id);
  }

  /** Removes all faults. Those added afterwards fail the same requests as at the start. */
  clear(): void {
    this.#random.load(this.#start);
    this.#revision += 1;
    this.#active.clear();
  }

  #count(fault: ActiveFault, what: "skipped" | "hits"): void {
    fault[what] += 1;
    this.#revision += 1;
  }
}

function toFault({ input, id, skipped, hits }: ActiveFault): Fault {
  return { ...input, id, skipped, hits };
}
