import { expect, it } from "vitest";
import { PendingEvents } from "../../mock/webhooks/pending-events.ts";

it("counts pending events, and knows those of each endpoint", () => {
  const pending = new PendingEvents();
  const event = (id: string, endpoint_id = "one") => ({ id, endpoint_id });
  const state = () => [pending.size, pending.of("one"), pending.of("two")];
  for (const id of ["a", "a", "b", "b", "c"]) pending.add(event(id));
  pending.add(event("d", "two"));
  expect(state()).toEqual([4, ["a", "b", "c"], ["d"]]);
  for (const absent of [event("x"), event("a", "two"), event("a", "three")]) pending.delete(absent);
  expect(pending.size).toBe(4);
  for (const id of ["a", "a", "c"]) pending.delete(event(id));
  expect(state()).toEqual([2, ["b"], ["d"]]);
  pending.delete(event("b"));
  pending.delete(event("d", "two"));
  expect(state()).toEqual([0, [], []]);
  pending.add(event("e"));
  pending.clear();
  expect(state()).toEqual([0, [], []]);
});
