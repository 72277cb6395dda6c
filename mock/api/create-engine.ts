import { frozenContract } from "../../src/contract/index.ts";
import { readAssumptions } from "../assumptions/assumptions.ts";
import { Engine } from "../engine/engine.ts";
import { contracts as packaged } from "../generated/contracts.ts";
import { normalizeBaseUrl } from "../http/request.ts";
import { requireContract, supportedVersions } from "../lifecycle/versions.ts";
import {
  amount,
  anything,
  type FieldKind,
  integer,
  kind,
  listOf,
  object,
  requireOptions,
  type Shape,
  text,
  texts,
} from "../options/options.ts";
import { createClock } from "../state/clock.ts";
import { IdGenerator, randomSeed } from "../state/ids.ts";
import { STATE_LIMITS, type StateLimits } from "../state/state.ts";
import type { MockOptions } from "./mock.ts";

/** The function that received the options of a mock. */
interface Caller {
  /** The name, for error messages. */
  readonly name: string;
  /** The options that it takes in addition to a mock's options. */
  readonly options: Shape;
}

const MOCK_OPTIONS: Readonly<Record<keyof MockOptions, FieldKind>> = {
  assumptions: object,
  baseUrl: kind("a string or an array of strings", (value) => text.fits(value) || texts.fits(value)),
  seed: integer,
  now: anything,
  maxEvents: amount,
  maxEventBytes: amount,
  contracts: listOf(object, "contracts"),
};

const CREATE_MOCK: Caller = { name: "createMock", options: {} };

/**
 * Creates an engine from the options of a mock.
 *
 * @throws TypeError when an option is unknown or invalid.
 */
export function createEngine(options: MockOptions, caller: Caller = CREATE_MOCK): Engine {
  requireOptions(caller.name, options, { ...MOCK_OPTIONS, ...caller.options });
  for (const [index, each] of (options.contracts ?? []).entries()) {
    requireContract(`${caller.name}: contracts[${index}]`, each);
  }
  const assumptions = readAssumptions(options.assumptions);
  const given = [options.baseUrl ?? []].flat();
  return new Engine({
    assumptions,
    baseUrls: Object.freeze([...assumptions.baseUrls, ...given].map(normalizeBaseUrl)),
    ids: new IdGenerator(options.seed ?? randomSeed()),
    versions: supportedVersions((options.contracts ?? packaged).map(frozenContract)),
    clock: createClock(options.now),
    limits: limitsOf(options),
    hasGivenContracts: options.contracts !== undefined,
  });
}

function limitsOf(options: MockOptions): StateLimits {
  const { maxEvents = STATE_LIMITS.maxEvents, maxEventBytes = STATE_LIMITS.maxEventBytes } = options;
  return { maxEvents, maxEventBytes };
}
