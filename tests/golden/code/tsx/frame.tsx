export const Frame = ({ label, onOpen, children }: { label: string; onOpen: () => void; children: unknown }) => (
  <section aria-label={label} onClick={onOpen}>
    {children}
  </section>
)
