import type { ComponentProps } from "react";
import { type UseFormReturn, useWatch } from "react-hook-form";
import { Field, Input, NativeSelect } from "@/components/ui/field";
import { COUNTRIES, findCountry, PHONE_CODES } from "@/shop/countries";
import type { Address, AddressField } from "./address";
import { useZipLookup } from "./use-zip-lookup";

const REGION_LABELS: Record<string, string> = { US: "State", CA: "Province" };

export function AddressForm({ form }: { form: UseFormReturn<Address> }) {
  const { errors } = form.formState;
  const country = useWatch({ control: form.control, name: "country" });
  const lookUpZip = useZipLookup(form);

  function text(
    field: AddressField,
    label: string,
    props: ComponentProps<"input">,
    className?: string,
  ) {
    return (
      <Field label={label} error={errors[field]?.message} className={className}>
        {(ids) => <Input {...ids} {...form.register(field)} {...props} />}
      </Field>
    );
  }

  return (
    <div className="grid grid-cols-6 gap-x-3 gap-y-4 sm:gap-x-4">
      {text(
        "first_name",
        "First name",
        { autoComplete: "given-name", maxLength: 100 },
        "col-span-3",
      )}
      {text(
        "last_name",
        "Last name",
        { autoComplete: "family-name", maxLength: 100 },
        "col-span-3",
      )}
      {text(
        "email",
        "Email",
        { type: "email", autoComplete: "email", maxLength: 254 },
        "col-span-6",
      )}
      <Field label="Country" error={errors.country?.message} className="col-span-6">
        {(ids) => (
          <NativeSelect
            {...ids}
            autoComplete="country"
            {...form.register("country", {
              onChange: (event: { target: { value: string } }) => {
                const code = event.target.value;
                form.setValue("phone_country_code", findCountry(code)?.phone_code ?? "");
                lookUpZip(code, form.getValues("zip"));
              },
            })}
          >
            {COUNTRIES.map((each) => (
              <option key={each.code} value={each.code}>
                {each.name}
              </option>
            ))}
          </NativeSelect>
        )}
      </Field>
      {text("address1", "Address", { autoComplete: "address-line1", maxLength: 200 }, "col-span-6")}
      {text(
        "address2",
        "Apartment, suite, unit (optional)",
        { autoComplete: "address-line2", maxLength: 200 },
        "col-span-6",
      )}
      <Field
        label={country === "US" ? "ZIP code" : "Postal code"}
        error={errors.zip?.message}
        className="col-span-2"
      >
        {(ids) => (
          <Input
            {...ids}
            autoComplete="postal-code"
            maxLength={20}
            {...form.register("zip", {
              onChange: (event: { target: { value: string } }) =>
                lookUpZip(form.getValues("country"), event.target.value),
            })}
          />
        )}
      </Field>
      {text(
        "city",
        "City",
        { autoComplete: "address-level2", maxLength: 100 },
        "col-span-4 sm:col-span-2",
      )}
      {text(
        "region",
        REGION_LABELS[country] ?? "Region (optional)",
        { autoComplete: "address-level1", maxLength: 100 },
        "col-span-6 sm:col-span-2",
      )}
      <Field label="Phone code" error={errors.phone_country_code?.message} className="col-span-2">
        {(ids) => (
          <NativeSelect
            {...ids}
            autoComplete="tel-country-code"
            {...form.register("phone_country_code")}
          >
            {PHONE_CODES.map((code) => (
              <option key={code} value={code}>
                {code}
              </option>
            ))}
          </NativeSelect>
        )}
      </Field>
      {text(
        "phone",
        "Phone",
        { type: "tel", autoComplete: "tel-national", inputMode: "tel", maxLength: 30 },
        "col-span-4",
      )}
    </div>
  );
}
