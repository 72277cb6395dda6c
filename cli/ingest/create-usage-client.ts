import { isInvalidInputError } from "../../src/errors/index.ts";
import type { UsageClient } from "../../src/usage/index.ts";
import { UsageError } from "../../terminal/usage-error.ts";
import { clients } from "../generated/clients.ts";
import type { EnvironmentVariables } from "../named-command.ts";
import type { PackagedVersion } from "../versions.ts";

/** The environment variable for the access token. */
export const TOKEN_VARIABLE = "BILLING_TOKEN";

/**
 * Creates the client of a version, with the token from the environment.
 *
 * @throws UsageError when the token is missing or the base URL is invalid.
 */
export function createUsageClient(
  version: PackagedVersion,
  baseUrl: string | undefined,
  env: EnvironmentVariables,
): UsageClient {
  const accessToken = env[TOKEN_VARIABLE];
  if (!accessToken) {
    throw new UsageError(`${TOKEN_VARIABLE} is not set. Set it to an access token with the scope events:write.`);
  }
  try {
    const client: unknown = clients[version]({ accessToken, ...(baseUrl === undefined ? {} : { baseUrl }) });
    return client as UsageClient;
  } catch (error) {
    throw isInvalidInputError(error) ? new UsageError(namedAsTyped(error.message)) : error;
  }
}

/** Replaces the name of an option of the client by the name that the user typed. */
function namedAsTyped(message: string): string {
  return message
    .replace(/^createClient: /, "")
    .replace(/^baseUrl\b/, "--base-url")
    .replace(/^accessToken\b/, TOKEN_VARIABLE);
}
