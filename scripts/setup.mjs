// Runs a command of the project after installing what it needs: `node scripts/setup.mjs [--build] <command> [arguments]`.
// It installs the dependencies if they are missing or differ from the lock file. `--build` also updates `dist`. The Node.js
// of the project comes first on the PATH of the command. Plain JavaScript without other files of the project, because it
// runs before anything is installed, on Node.js 20 or newer.
import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Returns the packages in a lock file by folder; undefined if the file does not exist. */
function locked(file) {
  try {
    return JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), "utf8")).packages;
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** Whether all packages of the lock file are installed. Optional packages may be missing. */
function upToDate() {
  const wanted = locked("package-lock.json") ?? {};
  const installed = locked("node_modules/.package-lock.json");
  if (installed === undefined) return false;
  return Object.entries(wanted).every(([folder, { version, optional, devOptional }]) => {
    if (folder === "") return true;
    const found = installed[folder];
    return found === undefined ? Boolean(optional || devOptional) : found.version === version;
  });
}

/** How programs run: in the folder of the project. */
const options = { cwd: new URL("..", import.meta.url), stdio: "inherit", shell: process.platform === "win32" };

/** Runs a step before the command, and returns its exit code. */
function run(program, parameters, stdio = "inherit") {
  const { status, error } = spawnSync(program, parameters, { ...options, stdio });
  if (error) console.error(`${program}: ${error.message}`);
  return status ?? 1;
}

/** Runs the command, and exits with its exit code. It decides itself what to do when it is told to stop. */
function runCommand(program, parameters) {
  const child = spawn(program, parameters, options);
  const parent = process.ppid;
  // npm passes SIGTERM only to the shell between it and this process, and the shell then ends.
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    child.kill();
  }, 500).unref();
  // A terminal sends SIGINT to the command as well.
  process.on("SIGINT", () => clearInterval(watch));
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => {
    console.error(`${program}: ${error.message}`);
    process.exitCode = 1;
  });
  child.on("close", (status) => {
    process.exitCode = status ?? 1;
  });
}

/** Exits with the exit code of a failed step. In `npm test`, the last line is always the count of tests. */
function fail(status) {
  if (process.env.npm_lifecycle_event === "test") console.log("0 passed, 1 failed");
  process.exit(status);
}

function install() {
  if (upToDate()) return;
  console.error("Installing the dependencies. This happens only once, and when they change.");
  const status = run("npm", ["ci", "--loglevel=error", "--no-audit", "--no-fund"], ["ignore", 2, 2]);
  if (status === 0) return;
  console.error("npm ci failed; see its messages above.");
  fail(status);
}

/** The arguments of this program: its own flag, then the command. */
const words = process.argv.slice(2);
const builds = words[0] === "--build";
const [program, ...parameters] = builds ? words.slice(1) : words;

install();
const built = builds ? run("node", ["scripts/build.ts", "--if-stale"]) : 0;
if (built !== 0) fail(built);
if (program) runCommand(program, parameters);
