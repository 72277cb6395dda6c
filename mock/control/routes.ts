import { inspectorRoutes } from "../inspector/routes.ts";
import { collectionRoutes } from "./collection-routes.ts";
import { failureRoutes } from "./failure-routes.ts";
import type { ControlRoute } from "./route.ts";
import { stateRoutes } from "./state-routes.ts";
import { webhookRoutes } from "./webhook-routes.ts";

/** Where the control interface lives, on the server's own address. */
export const CONTROL_PATH = "/__mock";

/** Every operation of the control interface. */
export const controlRoutes: readonly ControlRoute[] = [
  ...stateRoutes,
  ...collectionRoutes,
  ...webhookRoutes,
  ...failureRoutes,
  ...inspectorRoutes,
];
