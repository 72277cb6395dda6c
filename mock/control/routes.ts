import { CONTROL_PATH } from "../state/own-addresses.ts";
import { collectionRoutes } from "./collection-routes.ts";
import { failureRoutes } from "./failure-routes.ts";
import { overviewRoutes } from "./overview-routes.ts";
import type { ControlRoute } from "./route.ts";
import { stateRoutes } from "./state-routes.ts";
import { webhookRoutes } from "./webhook-routes.ts";

export { CONTROL_PATH };

/** Every operation of the control interface. */
export const controlRoutes: readonly ControlRoute[] = [
  ...stateRoutes,
  ...collectionRoutes,
  ...webhookRoutes,
  ...failureRoutes,
  ...overviewRoutes,
];
