(* The functions of places.v as OCaml, for compare.ml. Integers are those of the machine: the small world fits. *)
From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlZInt.
From Plait Require Import places.
Extraction "places_proved.ml" place add_digit from split join recast steps_from check uneven.
