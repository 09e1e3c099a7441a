/** How long work tells a surface where it is. The surface decides whether that is a bar or a line. */
export interface Progress {
  begin(label: string, total: number): void
  /** `bytes` where the speed of reading is of interest. */
  advance(count: number, bytes?: number): void
  end(): void
}

export const SILENT: Progress = {
  begin: () => undefined,
  advance: () => undefined,
  end: () => undefined,
}
