/**
 * Finds the outputs that a program promises and does not print: the comment behind a `console.log` starts with what it
 * prints, as in `console.log(status); // 422, since …`.
 */
export function missingOutput(code: string, output: string): string[] {
  const promised = [...code.matchAll(/^ *console\.log\(.*\); \/\/ (.+)$/gm)].map(([, comment]) => comment ?? "");
  const printed = output.split("\n").filter((line) => line !== "");
  return promised.filter((comment) => {
    const at = printed.findIndex((line) => comment.startsWith(line));
    printed.splice(0, at + 1);
    return at < 0;
  });
}
