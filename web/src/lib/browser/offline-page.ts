/**
 * Has the browser keep the page for visitors without a network (public/sw.js), once it has nothing else to do. Only a
 * build has that page.
 */
export function keepOfflinePage(): void {
  if (!import.meta.env.PROD) return;
  const workers: ServiceWorkerContainer | undefined = navigator.serviceWorker;
  const register = () => {
    // Where it may not keep anything, it shows its own page instead.
    workers?.register("/sw.js").catch(() => undefined);
  };
  if (document.readyState === "complete") register();
  else addEventListener("load", register, { once: true });
}
