import { type UseFormReturn, useWatch } from "react-hook-form";
import { Field, Input, NativeSelect } from "@/components/ui/field";
import { PHONE_CODES } from "@/shop/orders/countries";
import type { Address } from "@/shop/orders/shipping-address";
import { parsePhone } from "./contact";

export function PhoneFields({ form }: { form: UseFormReturn<Address> }) {
  const { errors } = form.formState;
  const [code, written] = useWatch({
    control: form.control,
    name: ["phone_country_code", "phone"],
  });
  const phone = parsePhone(written, code);
  return (
    <>
      <Field label="Phone code" error={errors.phone_country_code?.message} className="col-span-2">
        {(ids) => (
          <NativeSelect
            {...ids}
            autoComplete="tel-country-code"
            {...form.register("phone_country_code")}
          >
            {PHONE_CODES.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </NativeSelect>
        )}
      </Field>
      <Field
        label="Phone"
        error={errors.phone?.message}
        hint={
          phone?.extension
            ? `Extension ${phone.extension} stays with your order. The printer gets ${phone.number} without it.`
            : undefined
        }
        className="col-span-4"
      >
        {(ids) => (
          <Input
            {...ids}
            type="tel"
            inputMode="tel"
            autoComplete="tel-national"
            maxLength={40}
            {...form.register("phone")}
          />
        )}
      </Field>
    </>
  );
}
