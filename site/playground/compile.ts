import { transform } from "sucrase";

/** A program that can run. */
export interface CompiledProgram {
  /** JavaScript, on the same lines, in which `require` stands for imports. */
  readonly code: string;
  /** The program's imports, without duplicates. */
  readonly imports: readonly string[];
}

/** Means that a program cannot be compiled. */
export class CompileError extends SyntaxError {
  override readonly name = "SyntaxError";
  /** The line number in the program, starting at 1. */
  readonly line: number | undefined;

  constructor(message: string, line: number | undefined) {
    super(message);
    this.line = line;
  }
}

/**
 * Compiles a program in TypeScript or JavaScript: removes its types, and replaces its imports.
 *
 * @throws CompileError for a syntax error.
 */
export function compile(program: string): CompiledProgram {
  try {
    const { code } = transform(program, { transforms: ["typescript", "imports"], disableESTransforms: true });
    const imports = [...code.matchAll(/\brequire\((['"])(.+?)\1\)/g)].map(([, , name]) => name ?? "");
    return { code, imports: [...new Set(imports)] };
  } catch (error) {
    const { message, loc } = error as Error & { readonly loc?: { readonly line: number } };
    throw new CompileError(message.replace(/^Error transforming \S+: /, "").replace(/ \(\d+:\d+\)$/, ""), loc?.line);
  }
}
