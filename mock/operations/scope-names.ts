const known = new Map<string, Readonly<Record<string, string>>>();

/** A label to show to a person for each scope: `webhooks:read` is "Read webhooks". */
export function displayNames(scopes: readonly string[]): Readonly<Record<string, string>> {
  const key = scopes.join(" ");
  let names = known.get(key);
  if (!names) {
    names = Object.fromEntries(scopes.map((scope) => [scope, displayName(scope)]));
    known.set(key, names);
  }
  return names;
}

function displayName(scope: string): string {
  const [resource = "", access] = scope.split(":");
  const words = resource.replaceAll("_", " ").replace("openid", "openID");
  if (access === undefined) return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
  return `${access.charAt(0).toUpperCase()}${access.slice(1)} ${words}`;
}
