import type { EventProblem, UsageEvent } from "../event/index.ts";

/** The events of parcels, or the problems of those that cannot be sent, by index. */
export type ParsedParcels =
  | { readonly events: readonly UsageEvent[] }
  | { readonly problems: ReadonlyMap<number, readonly EventProblem[]> };

/** Parses parcels. Another program may have written to the storage of an outbox. */
export function parseParcels(parcels: readonly { readonly json: string }[]): ParsedParcels {
  const problems = new Map<number, readonly EventProblem[]>();
  const events = parcels.map(({ json }, index) => {
    const value = parseJson(json);
    if (typeof value !== "object" || value === null || Array.isArray(value)) problems.set(index, [UNREADABLE]);
    return value as UsageEvent;
  });
  return problems.size > 0 ? { problems } : { events };
}

/** Returns the event of a parcel as it was stored; the string if it is not valid JSON. */
export function parseParcel({ json }: { readonly json: string }): UsageEvent {
  return (parseJson(json) ?? json) as UsageEvent;
}

const UNREADABLE: EventProblem = {
  path: "",
  message: "the outbox returned an entry that is not a JSON object; another program may have written it",
  type: "invalid",
};

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
