// Has the clients of three versions.
import { createClient as createOldest } from "@billing-service/sdk/2024-10";
import { createClient } from "@billing-service/sdk/2025-01";
import { createClient as createNewest } from "@billing-service/sdk/2025-04";

globalThis.clients = [createOldest, createClient, createNewest];
