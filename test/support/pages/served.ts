import { type ChildProcess, spawn } from "node:child_process";

const ADDRESS = /http:\/\/127\.0\.0\.1:\d+/;

/** A server that a command of a page started. */
export interface Served {
  readonly url: string;
  readonly process: ChildProcess;
}

/** Runs a command, and waits until it prints its URL. Rejects if it exits before. */
export function served(command: string, cwd: string): Promise<Served> {
  const env = { ...process.env, npm_config_offline: "true", NO_COLOR: "1" };
  const server = spawn("sh", ["-c", command], { cwd, detached: true, env });
  let output = "";
  return new Promise((resolve, reject) => {
    const collect = (text: string) => {
      output += text;
      const [url] = ADDRESS.exec(output) ?? [];
      if (url !== undefined) resolve({ url, process: server });
    };
    server.stdout.setEncoding("utf8").on("data", collect);
    server.stderr.setEncoding("utf8").on("data", collect);
    server.on("close", () => reject(new Error(`${command} has ended:\n${output}`)));
  });
}

/** Stops a server and all processes that its command started. */
export function end({ process: server }: Served): void {
  if (server.pid !== undefined) process.kill(-server.pid, "SIGKILL");
}
