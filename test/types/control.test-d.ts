import { test } from "vitest";
import type { HandlersOf } from "../../mock/control/handlers/handler.ts";
import { controlClient } from "../../mock/control/routes/client.ts";
import type { FaultOperations as AllFaultOperations } from "../../mock/control/routes/faults.ts";
import type { RoutesOf } from "../../mock/control/routes/route.ts";

/** Some operations, so that a new one does not change this file. */
type FaultOperations = Pick<AllFaultOperations, "add" | "list" | "remove" | "clear">;

const route = { method: "GET", path: "/faults", summary: "" } as const;
const routes: RoutesOf<FaultOperations> = {
  add: { ...route, body: "" },
  list: route,
  remove: { ...route, path: "/faults/{id}", absent: { value: false } },
  clear: route,
};

test("a typo in the name of a control operation does not compile", () => {
  const control = controlClient(() => undefined);
  control.faults.clear();
  // @ts-expect-error The action is misspelled.
  control.faults.claer();
  // @ts-expect-error The group is misspelled.
  control.fault.clear();
  // @ts-expect-error The field is misspelled.
  control.faults.add({ body: { staus: 503 } });
});

test("a missing or superfluous route does not compile", () => {
  const { clear, ...others } = routes;
  // @ts-expect-error `clear` is missing.
  const incomplete: RoutesOf<FaultOperations> = others;
  // @ts-expect-error `clean` is not an operation.
  const superfluous: RoutesOf<FaultOperations> = { ...others, clear, clean: clear };
  return [incomplete, superfluous];
});

test("a route that does not describe the parameters of its operation does not compile", () => {
  // @ts-expect-error The path has no id.
  const withoutId: RoutesOf<FaultOperations>["remove"] = { ...routes.remove, path: "/faults" };
  // @ts-expect-error The operation takes no query parameters.
  const withQuery: RoutesOf<FaultOperations>["list"] = { ...route, query: { limit: "" } };
  // @ts-expect-error The body is not described.
  const withoutBody: RoutesOf<FaultOperations>["add"] = route;
  return [withoutId, withQuery, withoutBody];
});

test("a missing handler does not compile", () => {
  const handlers: Pick<HandlersOf<FaultOperations>, "list" | "clear"> = {
    list: (_, { mock }) => mock.faults.list(),
    clear: (_, { mock }) => mock.faults.clear(),
  };
  // @ts-expect-error `add` and `remove` are missing.
  const incomplete: HandlersOf<FaultOperations> = handlers;
  return incomplete;
});
