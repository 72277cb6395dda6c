import { InvalidInputError } from "../errors/index.ts";
import type { UndiciDispatcher } from "./dispatcher.ts";
import type { UndiciSettings } from "./options.ts";

/** A dispatcher that the transport has created and must close. */
export interface OwnDispatcher extends UndiciDispatcher {
  close(): Promise<void>;
}

/** The variables that name a proxy, as undici reads them. */
const PROXY_VARIABLES = ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY"];

/**
 * Loads undici and creates an agent. It uses a proxy only if the environment names one, because choosing the route of each
 * request takes time.
 *
 * @throws {@link InvalidInputError} when undici is not installed.
 */
export async function openDispatcher({ connections, connectTimeout }: UndiciSettings): Promise<OwnDispatcher> {
  const { Agent, EnvHttpProxyAgent } = await loadUndici();
  const options = { connections, connectTimeout };
  return PROXY_VARIABLES.some((name) => process.env[name]) ? new EnvHttpProxyAgent(options) : new Agent(options);
}

async function loadUndici(): Promise<typeof import("undici")> {
  try {
    return await import("undici");
  } catch (cause) {
    const problem = "could not be loaded. Install it with `npm install undici`";
    throw new InvalidInputError("transport", problem, { caller: "undiciTransport", subject: "undici 7 or 8", cause });
  }
}
