export { frozenContract, SECURITY_SCHEMES } from "./frozen-contract.ts";
export type * from "./public.ts";
export type { ZodSchema } from "./schema.ts";
