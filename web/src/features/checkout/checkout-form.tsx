import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useEffectEvent, useState } from "react";
import { CardField } from "@/components/card-field";
import { ImageFrame } from "@/components/image-frame";
import { PageTitle } from "@/components/page-title";
import { SizeGuidelines } from "@/components/shirt/size-guidelines";
import { ShirtStandIn } from "@/components/shirt-stand-in";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Checkbox } from "@/components/ui/checkbox";
import { Label } from "@/components/ui/field";
import { imageSource } from "@/lib/browser/image-source";
import { errorMessage } from "@/lib/errors/errors";
import { notify, notifyProblem } from "@/lib/errors/notify";
import { useUser } from "@/lib/session/session-provider";
import { formatPrice } from "@/lib/text/format";
import { quote } from "@/shop/catalog/pricing";
import type { ColorGroup, Variant } from "@/shop/catalog/variants";
import type { Design } from "@/shop/designs/get-design";
import { mockupUrl } from "@/shop/designs/mockup-url";
import type { Address } from "@/shop/orders/shipping-address";
import { fromSaved, type SavedAddress, sameAddress, toOrder, trimmed } from "./address/address";
import { AddressForm } from "./address/address-form";
import { useCountryRules } from "./address/country-rules";
import { SavedAddresses } from "./address/saved-addresses";
import type { OrderDraft } from "./api/create-payment-intent";
import { confirmationOf, rememberConfirmation } from "./api/get-confirmation";
import { addressesQuery } from "./api/list-addresses";
import { saveAddress } from "./api/save-address";
import { PricingSummary } from "./components/pricing-summary";
import { Section } from "./components/section";
import { readInFlight } from "./payment/in-flight";
import { useCheckout } from "./payment/use-checkout";
import { firstProblem, INVALID_ADDRESS, type Problem } from "./payment/validate-order";
import { SizePicker } from "./sizes/size-picker";
import { useOrderForm } from "./use-order-form";

interface CheckoutFormProps {
  design: Design;
  color: ColorGroup;
  sizes: Variant[];
  saved: SavedAddress[];
  username: string | null | undefined;
  email: string | undefined;
  onPaid: (orderId: string) => void;
}

export function CheckoutForm(props: CheckoutFormProps) {
  const { design, color, sizes, saved, username, email, onPaid } = props;
  const user = useUser();
  const client = useQueryClient();
  const order = useOrderForm({ designId: design.id, sizes, saved, username, email });
  const { form, address, lines, quantity } = order;
  const rules = useCountryRules(address.country);
  const { ready, processing, refusal, forgetRefusal, checkOut, resume } = useCheckout();
  const [cardComplete, setCardComplete] = useState(false);

  function draftOf(to: Address): OrderDraft {
    return { design, productId: design.printify_product_id ?? "", lines, address: toOrder(to) };
  }

  function complete(orderId: string, to: Address) {
    rememberConfirmation(client, orderId, user.id, confirmationOf(lines, to, design.has_back));
    order.forget();
    onPaid(orderId);
  }

  const resumeAfterReload = useEffectEvent(async () => {
    const payment = readInFlight(user.id, design.id);
    if (!payment || lines.length === 0) return;
    const to = trimmed(address);
    const orderId = await resume(draftOf(to), payment);
    if (orderId) complete(orderId, to);
  });
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- set once the payment has answered, not within the effect
    if (ready) void resumeAfterReload();
  }, [ready]);

  async function saveNewAddress(used: Address) {
    if (!order.shouldSaveAddress || saved.some((each) => sameAddress(fromSaved(each), used)))
      return;
    try {
      await saveAddress(user.id, used);
      notify("Address saved", "Your address has been saved for future orders.");
      await client.invalidateQueries({ queryKey: addressesQuery(user.id).queryKey });
    } catch (error) {
      notifyProblem("Error saving address", errorMessage(error, "Your order is not affected."));
    }
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    form.clearErrors();
    const problem = firstProblem({ address, rules, quantity, cardComplete });
    if (problem) {
      show(problem);
      return;
    }
    const used = trimmed(address);
    const orderId = await checkOut(draftOf(used), (fault) =>
      show({ title: INVALID_ADDRESS, ...fault }),
    );
    if (!orderId) return;
    complete(orderId, used);
    await saveNewAddress(used);
  }

  function show({ title, message, field }: Problem) {
    notifyProblem(title, message);
    if (field) form.setError(field, { message }, { shouldFocus: true });
  }

  const total = formatPrice(quote(quantity, address.country, design.has_back).totalCents / 100);
  return (
    <form noValidate onSubmit={submit} className="shell py-8 sm:py-12">
      <PageTitle>Place your order</PageTitle>
      <h1 className="display-2 mb-8">Place Your Order</h1>
      <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)] lg:grid-rows-[auto_1fr] lg:gap-x-12">
        <ChosenShirt design={design} color={color} />
        <div className="flex flex-col gap-8 lg:col-start-1 lg:row-span-2 lg:row-start-1">
          <Section number={1} title="Sizes and quantities">
            <SizePicker sizes={sizes} quantities={order.quantities} onChange={order.setQuantity} />
            <SizeGuidelines />
          </Section>
          <Section number={2} title="Shipping Address">
            <SavedAddresses
              saved={saved}
              current={address}
              onChoose={(chosen) => form.reset(chosen)}
            />
            <AddressForm form={form} rules={rules} />
          </Section>
          <Section number={3} title="Payment">
            <CardField
              disabled={processing}
              refusal={refusal}
              onChange={(isComplete) => {
                setCardComplete(isComplete);
                forgetRefusal();
              }}
            />
            <p className="mt-2 text-sm text-ink-soft">
              Visa, Mastercard and American Express. Your card number goes straight to Stripe.
            </p>
            <div className="mt-5 flex items-center gap-3">
              <Checkbox
                id="save-address"
                checked={order.shouldSaveAddress}
                onCheckedChange={(checked) => order.setShouldSaveAddress(checked === true)}
              />
              <Label htmlFor="save-address">Save this address for future orders</Label>
            </div>
          </Section>
        </div>
        <Card className="flex flex-col gap-5 lg:sticky lg:top-28 lg:col-start-2">
          <PricingSummary quantity={quantity} country={address.country} hasBack={design.has_back} />
          <Button
            type="submit"
            size="lg"
            className="w-full"
            busy={processing}
            disabled={!ready || !cardComplete || quantity === 0}
          >
            {processing ? "Processing..." : quantity > 0 ? `Pay ${total}` : "Pay"}
          </Button>
          <p className="text-center text-sm text-ink-soft">
            {whatIsMissing(quantity, cardComplete)}
          </p>
        </Card>
      </div>
    </form>
  );
}

function whatIsMissing(quantity: number, cardComplete: boolean): string {
  if (quantity === 0) return "Choose a size to continue.";
  if (!cardComplete) return "Complete your card details to pay.";
  return "You pay once, in US dollars. No subscription.";
}

function ChosenShirt({ design, color }: { design: Design; color: ColorGroup }) {
  const productId = design.printify_product_id;
  const mockup = productId
    ? mockupUrl({ productId, printifyVariantId: color.variant.printify_variant_id })
    : undefined;
  return (
    <div className="grid grid-cols-[8rem_minmax(0,1fr)] content-start items-center gap-x-4 gap-y-3 lg:col-start-2 lg:row-start-1 lg:grid-cols-1">
      <ImageFrame
        eager
        sources={[mockup, imageSource(design.image_data), imageSource(design.thumbnail_data)]}
        alt={`${design.name} on a ${color.name} t-shirt`}
        standIn={
          mockup ? (
            <ShirtStandIn pictures={[design.image_data, design.thumbnail_data]} color={color.hex} />
          ) : undefined
        }
        size={800}
        empty="Preview unavailable"
        className="w-full rounded-card border border-line"
      />
      <div className="flex flex-col gap-2">
        <p className="line-clamp-3 font-semibold wrap-anywhere">{design.name}</p>
        <p className="flex items-center gap-2.5">
          <span
            aria-hidden="true"
            className="size-6 rounded-md border border-ink/30 forced-color-adjust-none dark:border-white/30"
            style={{ backgroundColor: color.hex }}
          />
          Selected Color: {color.name}
        </p>
      </div>
    </div>
  );
}
