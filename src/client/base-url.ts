import { InvalidInputError } from "../errors/index.ts";
import type { ClientOptions, Environment } from "./options.ts";

/** The base address that the options ask for, without a slash at its end. */
export function readBaseUrl(options: ClientOptions): string {
  const environment = readEnvironment(options.environment);
  return options.baseUrl === undefined ? ENVIRONMENTS[environment] : checkBaseUrl(options.baseUrl);
}

function readEnvironment(value: unknown = "production"): Environment {
  if (typeof value === "string" && Object.hasOwn(ENVIRONMENTS, value)) return value as Environment;
  const names = Object.keys(ENVIRONMENTS).map((name) => JSON.stringify(name));
  throw new InvalidInputError("environment", `must be ${names.join(" or ")}; for another address give baseUrl`);
}

function checkBaseUrl(value: unknown): string {
  const url = parse(value);
  const problem = url === undefined ? "is no absolute URL" : problemOf(url);
  if (url === undefined || problem !== undefined) throw new InvalidInputError("baseUrl", problem ?? "");
  return url.origin + url.pathname.replace(/\/+$/, "");
}

function parse(value: unknown): URL | undefined {
  if (typeof value !== "string" && !(value instanceof URL)) return undefined;
  return URL.parse(String(value)) ?? undefined;
}

/** The address itself stays out of the message: it may hold a password. */
function problemOf(url: URL): string | undefined {
  if (url.protocol !== "https:" && url.protocol !== "http:") return "must start with https: or http:";
  if (url.username !== "" || url.password !== "") return "must hold no user name and no password";
  if (url.href.includes("?")) return "must hold no query";
  if (url.href.includes("#")) return "must hold no fragment";
  return undefined;
}

/**
 * The base address of each environment. The specification gives placeholders, so these are an assumption (G-BASE);
 * `baseUrl` takes another.
 */
export const ENVIRONMENTS: Readonly<Record<Environment, string>> = {
  production: "https://api.billing-service.example",
  sandbox: "https://sandbox-api.billing-service.example",
};
