import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createBrowserRouter, Navigate, RouterProvider } from "react-router-dom";
import { Frame } from "./frame";
import "./index.css";
import { FilesPage } from "./files-page";
import { FunctionsPage } from "./functions-page";
import { LogsPage } from "./logs-page";
import { MailsPage } from "./mails-page";
import { PoliciesPage } from "./policies-page";
import { RealtimePage } from "./realtime-page";
import { RoleProvider } from "./role";
import { SettingsPage } from "./settings-page";
import { SqlPage } from "./sql/sql-page";
import { TablePage } from "./tables/table-page";
import { TablesPage } from "./tables/tables-page";
import { followSystemTheme } from "./theme";
import { UsersPage } from "./users-page";

followSystemTheme();
const root = document.getElementById("root");
if (!root) throw new Error("The page has no #root to draw in");
const client = new QueryClient({
  defaultOptions: { queries: { retry: false, networkMode: "always" } },
});
const router = createBrowserRouter([
  {
    element: <Frame />,
    children: [
      { path: "/", element: <Navigate to="/tables" replace /> },
      {
        path: "/tables",
        element: <TablesPage />,
        children: [{ path: ":schema/:table", element: <TablePage /> }],
      },
      { path: "/policies", element: <PoliciesPage /> },
      { path: "/sql", element: <SqlPage /> },
      { path: "/users", element: <UsersPage /> },
      { path: "/files/*", element: <FilesPage /> },
      { path: "/functions", element: <FunctionsPage /> },
      { path: "/mails", element: <MailsPage /> },
      { path: "/realtime", element: <RealtimePage /> },
      { path: "/logs", element: <LogsPage /> },
      { path: "/settings", element: <SettingsPage /> },
      { path: "*", element: <Navigate to="/tables" replace /> },
    ],
  },
]);
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <RoleProvider>
        <RouterProvider router={router} />
      </RoleProvider>
    </QueryClientProvider>
  </StrictMode>,
);
