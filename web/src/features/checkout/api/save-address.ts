/** user_addresses: insert one, returning the row. */
import { unwrap } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";
import type { Address } from "@/shop/orders/shipping-address";

export async function saveAddress(userId: string | undefined, address: Address): Promise<void> {
  if (!userId) throw new Error("User not authenticated");
  const supabase = await getSupabase();
  unwrap(
    await supabase
      .from("user_addresses")
      .insert({
        ...address,
        user_id: userId,
        region: address.region || null,
        address2: address.address2 || null,
        is_default: false,
      })
      .select()
      .single(),
  );
}
