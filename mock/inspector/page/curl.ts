/** A request for which to write a command. */
interface CurlRequest {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Whether curl asks for the password of the control API. */
  readonly asksPassword?: boolean;
}

/** Returns a curl command that works when it is pasted into a POSIX shell. */
export function curlCommand({ method, url, headers = {}, body, asksPassword }: CurlRequest): string {
  // With `-X HEAD`, curl would wait for a body.
  const parts = [`curl --globoff ${method === "HEAD" ? "-I" : `-X ${method}`} ${quote(url)}`];
  for (const [name, value] of Object.entries(headers)) parts.push(`-H ${quote(`${name}: ${value}`)}`);
  if (body !== undefined) parts.push(`--data-raw ${quote(body)}`);
  if (asksPassword) parts.push("-u mock");
  return parts.join(" \\\n  ");
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
