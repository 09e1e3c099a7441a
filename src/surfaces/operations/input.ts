/** One input of an operation: its schema, whether it is required, and its help text. */
import { z } from '../../platform/schema.ts'

export function required<T extends z.ZodMiniType>(schema: T, description: string): T {
  return schema.check(z.describe(description))
}

export function optional<T extends z.ZodMiniType>(
  schema: T,
  description: string,
): z.ZodMiniOptional<T> {
  return z.optional(required(schema, description))
}

export function withDefault<T extends z.ZodMiniType>(
  schema: T,
  value: z.output<T>,
  description: string,
): z.ZodMiniDefault<T> {
  // oxlint-disable-next-line no-underscore-dangle -- So zod calls it, since the word is taken.
  return z._default(required(schema, description), value as z.core.util.NoUndefined<z.output<T>>)
}
