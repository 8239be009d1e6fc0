import { AdminList } from "../components/admin-list";
import { useDesignCases } from "../designs-api/list-design-cases";
import { useHeadingFocus } from "../use-heading-focus";
import { CaseHeads, DesignCaseItem } from "./design-case-row";

/** Designs that people have reported, above all others. */
export function ReportedDesigns() {
  const reported = useDesignCases();
  const cases = reported.data?.cases ?? [];
  const heading = useHeadingFocus(cases);
  return (
    <section aria-labelledby="reported-designs" className="flex flex-col gap-3">
      <h2
        id="reported-designs"
        ref={heading}
        tabIndex={-1}
        className="text-xl tracking-tight outline-none"
      >
        Reported
      </h2>
      {reported.data?.total === 0 ? (
        <p className="rounded-card border border-line bg-raised px-5 py-4 text-ink-soft">
          No report waits for a decision.
        </p>
      ) : (
        <AdminList
          query={reported}
          problem="Error loading reported designs"
          empty="No report waits for a decision."
          loading="Loading reported designs..."
          header={<CaseHeads what="Reported" />}
        >
          {cases.map((each) => (
            <DesignCaseItem key={each.id} row={each} />
          ))}
        </AdminList>
      )}
    </section>
  );
}

/** Shown only where there are any. */
export function TakenDownDesigns() {
  const takenDown = useDesignCases(true);
  const cases = takenDown.data?.cases ?? [];
  const heading = useHeadingFocus(cases);
  if (cases.length === 0) return null;
  return (
    <section aria-labelledby="taken-down-designs" className="flex flex-col gap-3">
      <h2
        id="taken-down-designs"
        ref={heading}
        tabIndex={-1}
        className="text-xl tracking-tight outline-none"
      >
        Taken down
      </h2>
      <AdminList
        query={takenDown}
        problem="Error loading designs"
        empty=""
        loading="Loading designs..."
        header={<CaseHeads what="Taken down" />}
      >
        {cases.map((each) => (
          <DesignCaseItem key={each.id} row={each} />
        ))}
      </AdminList>
    </section>
  );
}
