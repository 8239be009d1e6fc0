/** user_addresses: the visitor's own, the default one first, then the newest. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import { unwrap } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";
import { type SavedAddress, savedAddressSchema } from "../address/address";

/** As many as a form has room for. Every checkout may save one more. */
const MOST_ADDRESSES = 20;

async function listAddresses(userId: string): Promise<SavedAddress[]> {
  const supabase = await getSupabase();
  const response = await supabase
    .from("user_addresses")
    .select(
      "id, first_name, last_name, email, phone_country_code, phone, country, region, address1, address2, city, zip, is_default",
    )
    .eq("user_id", userId)
    .order("is_default", { ascending: false })
    .order("created_at", { ascending: false })
    .limit(MOST_ADDRESSES);
  return z.parse(z.array(savedAddressSchema), unwrap(response));
}

export function addressesQuery(userId: string) {
  return queryOptions({
    queryKey: ["addresses", userId],
    queryFn: () => listAddresses(userId),
  });
}

export function useAddresses(userId: string) {
  return useQuery(addressesQuery(userId));
}
