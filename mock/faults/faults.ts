import { stated } from "../input/shape.ts";
import type { Identity } from "../state/identity.ts";
import { checkFault } from "./check.ts";
import type { Fault, FaultInput, Faults } from "./fault.ts";

interface Armed {
  readonly input: FaultInput;
  readonly id: string;
  struck: number;
}

/** The failures of one mock, and which of them strikes next. */
export class ArmedFaults implements Faults {
  readonly #armed = new Map<string, Armed>();
  readonly #identity: Identity;
  #count = 0;
  #revision = 0;

  /** @param identity Draws for `probability`. */
  constructor(identity: Identity) {
    this.#identity = identity;
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
    const armed: Armed = { input: stated(input), id: `fault-${this.#count}`, struck: 0 };
    this.#armed.set(armed.id, armed);
    return shown(armed);
  }

  /** The failure that strikes a request to an operation; undefined when none does. */
  strike(operation: string | undefined): Fault | undefined {
    for (const armed of this.#armed.values()) {
      if (!this.#hits(armed, operation)) continue;
      armed.struck += 1;
      this.#revision += 1;
      if (armed.struck >= (armed.input.times ?? Number.POSITIVE_INFINITY)) this.#armed.delete(armed.id);
      return shown(armed);
    }
    return undefined;
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

  #hits({ input }: Armed, operation: string | undefined): boolean {
    if (input.operation !== undefined && input.operation !== operation) return false;
    return input.probability === undefined || this.#identity.fraction() < input.probability;
  }
}

function shown({ input, id, struck }: Armed): Fault {
  return { ...input, id, struck };
}
