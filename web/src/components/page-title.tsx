/** The tab's title; React puts it in the head. */
export function PageTitle({ children }: { children: string }) {
  return <title>{`${children} · Teesmith`}</title>;
}
