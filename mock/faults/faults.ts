import { MAX_DELAY } from "../clock/timers.ts";
import type { OperationId } from "../generated/names.ts";
import { type SentResponse, WITHOUT_BODY } from "../http/messages.ts";
import {
  anything,
  type FieldType,
  from,
  integerFrom,
  object,
  oneOf,
  requireShape,
  status,
  text,
  unknownName,
} from "../options/field-types.ts";
import type { IdGenerator } from "../state/ids.ts";
import { frozenJson } from "../validation/parse-body.ts";

/** A way in which the response does not reach the client. */
export type FaultKind = "reset" | "timeout" | "truncated";

/** A fault to inject: an error response (`status`), a broken connection (`kind`), or only a `delay`. */
export interface FaultInput<Id extends string = OperationId> {
  /** The operation that fails, by its identifier. Defaults to every request. */
  readonly operation?: Id | undefined;
  /** The status of the response, from 200 to 599. The operation does not run. */
  readonly status?: number | undefined;
  /** The body of the response with `status`: a string is sent unchanged, any other value as JSON. Empty by default. */
  readonly body?: unknown;
  /** Headers of the response with `status`. They replace `Content-Type`, `Service-Version` and `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Delay before the response, in milliseconds. Without `status` and `kind`, the operation runs before the delay, also if
   * the client then stops waiting. A request that a `delay` or a `timeout` holds when the mock is reset, stopped
   * or closed never gets a response; a server closes its connection.
   */
  readonly delay?: number | undefined;
  /** The `Retry-After` header of the response with `status`, in seconds. */
  readonly retryAfter?: number | undefined;
  /**
   * The failure. `reset` resets the connection, and `timeout` never responds; the operation does not run. `truncated` runs
   * the operation, and closes the connection in the middle of the response. The standalone server does this on its sockets;
   * in process, `fetch` fails as it would after that.
   */
  readonly kind?: FaultKind | undefined;
  /**
   * Number of matching requests before the first failure. Defaults to 0. `{ skip: 2, times: 1 }` fails only the third
   * request. Requests that another fault fails also count.
   */
  readonly skip?: number | undefined;
  /** Maximum number of failures. Unlimited by default. */
  readonly times?: number | undefined;
  /** The probability that a matching request fails, from 0 to 1. Defaults to 1. Depends on the mock's seed. */
  readonly probability?: number | undefined;
}

/** An active fault. */
export interface Fault extends FaultInput<string> {
  readonly id: string;
  /** Number of requests that passed because of `skip`. */
  readonly skipped: number;
  /** Number of requests that failed. */
  readonly hits: number;
}

/** The active faults of a mock. */
export interface Faults {
  /** Returns the active faults, in the order in which they are tried. */
  list(): readonly Fault[];
  /** Removes a fault. Returns false if no fault has the id. */
  remove(id: string): boolean;
  /** Removes all faults. */
  clear(): void;
}

/** A response, and how a fault loses it on its way to the client. */
export interface Exchange extends SentResponse {
  readonly loss?: FaultKind;
}

/** A fault whose numbers change. */
type ActiveFault = Omit<Fault, "skipped" | "hits"> & { skipped: number; hits: number };

/** Holds the active faults of a mock, and selects the one that fails a request. */
export class ActiveFaults implements Faults {
  readonly #active = new Map<string, ActiveFault>();
  readonly #random: IdGenerator;
  #added = 0;

  /** @param random The source of random numbers for `probability`. */
  constructor(random: IdGenerator) {
    this.#random = random;
  }

  /** Adds a fault. */
  add(input: FaultInput<string>, operations: ReadonlySet<string>): Fault {
    requireFault(input, operations);
    this.#added += 1;
    const id = `fault-${this.#added}`;
    const fault = { ...(frozenJson(input, "fault") as FaultInput<string>), id, skipped: 0, hits: 0 };
    this.#active.set(id, fault);
    return { ...fault };
  }

  /** Returns the fault that fails a request to an operation; undefined if none does. */
  apply(operation: string | undefined): Fault | undefined {
    let hit: ActiveFault | undefined;
    for (const fault of this.#active.values()) {
      const { operation: only, skip = 0, probability } = fault;
      if (only !== undefined && only !== operation) continue;
      if (fault.skipped < skip) fault.skipped += 1;
      else if (!hit && (probability === undefined || this.#random.fraction() < probability)) hit = fault;
    }
    if (!hit) return undefined;
    hit.hits += 1;
    if (hit.hits >= (hit.times ?? Number.POSITIVE_INFINITY)) this.#active.delete(hit.id);
    return { ...hit };
  }

  list(): readonly Fault[] {
    return Array.from(this.#active.values(), (fault) => ({ ...fault }));
  }

  remove(id: string): boolean {
    return this.#active.delete(id);
  }

  clear(): void {
    this.#active.clear();
  }
}

const KINDS: readonly FaultKind[] = ["reset", "timeout", "truncated"];

const FIELDS: Readonly<Record<keyof FaultInput, FieldType>> = {
  operation: text,
  status,
  body: anything,
  headers: object,
  delay: from(0, MAX_DELAY),
  retryAfter: integerFrom(0),
  kind: oneOf(...KINDS),
  skip: integerFrom(0),
  times: integerFrom(1),
  probability: from(0, 1),
};

/**
 * Checks a fault to inject.
 *
 * @throws TypeError for an invalid field, an unknown operation, and a fault without any effect.
 */
function requireFault(input: FaultInput<string>, operations: ReadonlySet<string>): void {
  requireShape("fault", input, FIELDS);
  const { operation, status, kind, delay, body, headers, retryAfter } = input;
  if (operation !== undefined && !operations.has(operation)) fail(unknownName("operation", operation, [...operations]));
  if (status === undefined) {
    if ([body, headers, retryAfter].some((field) => field !== undefined))
      fail("set `status` with `body`, `headers` and `retryAfter`.");
    if (kind === undefined && delay === undefined)
      fail("set `status`, `kind` or `delay`; the fault would have no effect without one.");
    return;
  }
  if (kind !== undefined) fail("set `status` or `kind`, not both.");
  if (body !== undefined && WITHOUT_BODY.has(status)) fail(`a response with the status ${status} has no \`body\`.`);
  new Headers(headers);
}

function fail(problem: string): never {
  throw new TypeError(`fault: ${problem}`);
}
