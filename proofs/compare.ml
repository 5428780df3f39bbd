(* Reads what plait's headers computed (test/proofs/small_world.cpp) and compares it with the functions that places.v
   proves. Prints the first lines that differ, and how many of each kind were compared. *)
open Places_proved

let numbers line = List.map int_of_string (List.filter (( <> ) "") (String.split_on_char ' ' line))

(* A list of jumps is its number, then borders and distances. *)
let rec take_jumps n l =
  if n = 0 then ([], l)
  else match l with
    | b :: v :: rest -> let js, rest = take_jumps (n - 1) rest in ({ border = b; by_ = v } :: js, rest)
    | _ -> failwith "a line is cut"
let jumps = function n :: rest -> take_jumps n rest | [] -> failwith "a line is cut"
let optional_jumps = function
  | -1 :: rest -> (None, rest)
  | l -> let js, rest = jumps l in (Some js, rest)
let one = function n :: rest -> (n, rest) | [] -> failwith "a line is cut"
let rec times n f l = if n = 0 then ([], l) else let x, l = f l in let xs, l = times (n - 1) f l in (x :: xs, l)
let at_end x = function [] -> x | _ -> failwith "a line is too long"

let digits l =
  let n, l = one l in
  let count, l = one l in
  let rec add k l p =
    if k = 0 then (p, l)
    else match l with
      | step :: extent :: stride :: rest -> add (k - 1) rest (add_digit step extent stride n p)
      | _ -> failwith "a line is cut" in
  let p, l = add count l [] in
  let said, l = jumps l in
  at_end (p = said) l
let origin l =
  let start, l = one l in
  let n, l = one l in
  let p, l = jumps l in
  let said, l = optional_jumps l in
  at_end (from start n p = said) l
let refinement l =
  let n, l = one l in
  let places, l = one l in
  let ps, l = times places jumps l in
  let loops, l = one l in
  let read_loop l = let step, l = one l in let by, l = times places one l in ((step, by), l) in
  let loops, l = times loops read_loop l in
  let left, l = times places jumps l in
  let borders = List.sort_uniq compare (List.concat_map (List.map (fun j -> j.border)) ps) in
  let steps = 1 :: steps_from 1 (List.filter (fun b -> b > 1 && b < n) borders) in
  let of_place k p =
    check p (List.map (fun (step, by) -> { step; by_step = List.nth by k }) loops) (List.nth left k) in
  at_end (List.map fst loops = steps && List.for_all Fun.id (List.mapi of_place ps)) l
let splitting l =
  let n, l = one l in
  let p, l = jumps l in
  match l with
  | -1 :: rest -> at_end (split n p = None) rest
  | l -> let o, l = jumps l in let i, l = jumps l in at_end (split n p = Some (o, i)) l
let joining l =
  let n, l = one l in
  let o, l = jumps l in
  let i, l = jumps l in
  let said, l = optional_jumps l in
  at_end (join n o i = said) l
let recasting l =
  let m, l = one l in
  let p, l = jumps l in
  let said, l = optional_jumps l in
  at_end (recast m p = said) l

let kinds = [ ("digits", digits); ("origin", origin); ("refinement", refinement); ("split", splitting); ("join", joining); ("recast", recasting) ]

let () =
  let counts = Hashtbl.create 8 and refused = Hashtbl.create 8 and wrong = ref 0 in
  let more table key = Hashtbl.replace table key (1 + Option.value ~default:0 (Hashtbl.find_opt table key)) in
  (try
     while true do
       let line = input_line stdin in
       let space = String.index line ' ' in
       let kind = String.sub line 0 space in
       let rest = numbers (String.sub line space (String.length line - space)) in
       more counts kind;
       if List.mem (-1) [ List.nth rest (List.length rest - 1) ] && kind <> "digits" && kind <> "refinement" then more refused kind;
       if not ((List.assoc kind kinds) rest) then begin
         incr wrong;
         if !wrong <= 10 then Printf.printf "differs: %s\n" line
       end
     done
   with End_of_file -> ());
  List.iter
    (fun (kind, _) ->
      let count = Option.value ~default:0 (Hashtbl.find_opt counts kind) in
      if count = 0 then (Printf.printf "no line of the kind %s\n" kind; incr wrong);
      Printf.printf "%-11s %8d compared\n" kind count)
    kinds;
  Printf.printf "%d differ\n" !wrong;
  exit (if !wrong = 0 then 0 else 1)
