(* The theory of include/plait/core/places.hpp and include/plait/algebra/refine.hpp, proved.

   Along one axis a place is a sum of jumps: place p i = sum of by * (i / border). The file proves that
   - the sum of jumps of a function is unique, and that every function has one;
   - adding a jump or a digit, moving the origin, joining, splitting and recasting compute the places that they promise;
   - if the borders divide each other, as those of a layout do, then a split, a join or a recast that is refused has no
     result;
   - the loops of a refinement are the function that is refined, and an accepted list of loops is.

   Numbers are unbounded here. The headers compute with 64 bits, which wrap around, so that places that fit are right. *)
From Coq Require Import ZArith List Lia Bool Znumtheory.
Import ListNotations.
Open Scope Z_scope.

Record jump := Jump { border : Z; by_ : Z }.
Definition places := list jump.

Fixpoint place (p : places) (i : Z) : Z :=
  match p with
  | [] => 0
  | j :: r => by_ j * (i / border j) + place r i
  end.

(* The borders rise, from `low` on and below n, and no jump is 0. *)
Fixpoint rising (low n : Z) (p : places) : Prop :=
  match p with
  | [] => True
  | j :: r => low <= border j < n /\ by_ j <> 0 /\ rising (border j + 1) n r
  end.
Definition normal (n : Z) (p : places) : Prop := rising 1 n p.

(* Every border divides all borders above it, as those of digits do. *)
Fixpoint chain (p : places) : Prop :=
  match p with
  | [] => True
  | j :: r => (forall k, In k r -> (border j | border k)) /\ chain r
  end.

(* ---- Sums ------------------------------------------------------------------------------------------------------ *)

Lemma place_app : forall p q i, place (p ++ q) i = place p i + place q i.
Proof. induction p as [|j r IH]; intros q i; simpl; [reflexivity|rewrite IH; lia]. Qed.

Lemma rising_border : forall p low n j, rising low n p -> In j p -> low <= border j < n.
Proof.
  induction p as [|k r IH]; intros low n j H I; [contradiction|].
  destruct H as [B [_ R]]. destruct I as [->|I]; [exact B|].
  specialize (IH _ _ _ R I). lia.
Qed.

Lemma rising_weaken : forall p low low' n n', low' <= low -> n <= n' -> rising low n p -> rising low' n' p.
Proof.
  induction p as [|k r IH]; intros low low' n n' L N H; [exact I|].
  destruct H as [B [V R]]. split; [lia|]. split; [exact V|].
  apply (IH (border k + 1) _ n); [lia|lia|exact R].
Qed.

Lemma place_below : forall p low n i, rising low n p -> 1 <= low -> 0 <= i < low -> place p i = 0.
Proof.
  induction p as [|k r IH]; intros low n i H L I; simpl; [reflexivity|].
  destruct H as [B [_ R]]. rewrite (IH _ _ i R) by lia. rewrite Z.div_small; lia.
Qed.

Lemma place_at_first : forall j r low n, rising low n (j :: r) -> 1 <= low -> place (j :: r) (border j) = by_ j.
Proof.
  intros j r low n [B [_ R]] L; simpl. rewrite (place_below _ _ _ _ R); [|lia|lia]. rewrite Z.div_same; lia.
Qed.

(* ---- Uniqueness, existence ------------------------------------------------------------------------------------- *)

Lemma unique_from : forall a b low n, 1 <= low -> rising low n a -> rising low n b ->
  (forall i, 0 <= i < n -> place a i = place b i) -> a = b.
Proof.
  induction a as [|j r IH]; intros b low n L A B E.
  - destruct b as [|k s]; [reflexivity|exfalso].
    pose proof (place_at_first _ _ _ _ B L) as F. destruct B as [Bk [V _]].
    specialize (E (border k) ltac:(lia)). rewrite F in E. simpl in E. lia.
  - pose proof (place_at_first _ _ _ _ A L) as FA.
    destruct b as [|k s].
    + exfalso. destruct A as [Aj [V _]]. specialize (E (border j) ltac:(lia)). rewrite FA in E. simpl in E. lia.
    + pose proof (place_at_first _ _ _ _ B L) as FB.
      destruct (Z.lt_trichotomy (border j) (border k)) as [H|[H|H]].
      * exfalso. destruct A as [Aj [V _]].
        assert (Z0 : place (k :: s) (border j) = 0).
        { apply (place_below _ (border k) n); [|lia|lia].
          destruct B as [Bk [Vk R]]. simpl. repeat split; try lia; assumption. }
        specialize (E (border j) ltac:(lia)). rewrite FA, Z0 in E. lia.
      * assert (V : by_ j = by_ k).
        { destruct A as [Aj _]. specialize (E (border j) ltac:(lia)). rewrite FA in E. rewrite H in E. rewrite FB in E. lia. }
        assert (J : j = k) by (destruct j, k; simpl in *; congruence). subst k.
        f_equal. destruct A as [Aj [_ RA]]. destruct B as [_ [_ RB]].
        apply (IH s (border j + 1) n); [lia|exact RA|exact RB|].
        intros i I. specialize (E i I). simpl in E. lia.
      * exfalso. destruct B as [Bk [V R]].
        assert (Z0 : place (j :: r) (border k) = 0).
        { apply (place_below _ (border j) n); [|lia|lia].
          destruct A as [Aj [Vj RA]]. simpl. repeat split; try lia; assumption. }
        specialize (E (border k) ltac:(lia)). rewrite FB, Z0 in E. lia.
Qed.

(* Two lists of jumps are the same function if and only if they are equal. *)
Theorem places_are_unique : forall n a b, normal n a -> normal n b ->
  (forall i, 0 <= i < n -> place a i = place b i) -> a = b.
Proof. intros n a b A B. apply (unique_from a b 1 n); [lia|exact A|exact B]. Qed.

Lemma rising_append : forall p low n v, rising low n p -> low <= n -> v <> 0 -> rising low (n + 1) (p ++ [Jump n v]).
Proof.
  induction p as [|j r IH]; intros low n v H L V.
  - simpl. split; [lia|]. split; [exact V|exact I].
  - destruct H as [B [Vj R]]. simpl. split; [lia|]. split; [exact Vj|]. apply IH; [exact R|lia|exact V].
Qed.

(* Every function of n indices that is 0 at index 0 is a sum of jumps. *)
Theorem places_exist : forall (f : Z -> Z) n, f 0 = 0 ->
  exists p, normal n p /\ forall i, 0 <= i < n -> place p i = f i.
Proof.
  intros f n F. destruct (Z_le_gt_dec n 0) as [N|N].
  { exists []. split; [exact I|intros; lia]. }
  replace n with (1 + Z.of_nat (Z.to_nat (n - 1))) by lia. generalize (Z.to_nat (n - 1)) as m. clear n N.
  induction m as [|m [p [H E]]].
  - exists []. split; [exact I|]. intros i I. assert (i = 0) by lia. subst. simpl. lia.
  - set (k := 1 + Z.of_nat m) in *. replace (1 + Z.of_nat (S m)) with (k + 1) by lia.
    destruct (Z.eq_dec (f k) (place p k)) as [S|S].
    + exists p. split.
      * apply (rising_weaken p 1 1 k (k + 1)); [lia|lia|exact H].
      * intros i I. destruct (Z.eq_dec i k) as [->|D]; [symmetry; exact S|apply E; lia].
    + exists (p ++ [Jump k (f k - place p k)]). split.
      * apply rising_append; [exact H|lia|lia].
      * intros i I. rewrite place_app. simpl. destruct (Z.eq_dec i k) as [->|D].
        -- rewrite Z.div_same by lia. lia.
        -- rewrite (Z.div_small i k) by lia. rewrite E by lia. lia.
Qed.

(* ---- Jumps and digits that are added --------------------------------------------------------------------------- *)

Fixpoint add (b v : Z) (p : places) : places :=
  match p with
  | [] => if v =? 0 then [] else [Jump b v]
  | j :: r =>
      if b <? border j then (if v =? 0 then p else Jump b v :: p)
      else if b =? border j then (if by_ j + v =? 0 then r else Jump b (by_ j + v) :: r)
      else j :: add b v r
  end.

Lemma add_place : forall p b v i, place (add b v p) i = v * (i / b) + place p i.
Proof.
  induction p as [|j r IH]; intros b v i; simpl.
  - destruct (Z.eqb_spec v 0); simpl; subst; lia.
  - destruct (Z.ltb_spec b (border j)).
    + destruct (Z.eqb_spec v 0); simpl; subst; lia.
    + destruct (Z.eqb_spec b (border j)) as [->|].
      * destruct (Z.eqb_spec (by_ j + v) 0) as [S|S]; simpl; [|lia].
        assert (v = - by_ j) by lia. subst. lia.
      * simpl. rewrite IH. lia.
Qed.

Lemma add_rising : forall p b v low n, low <= b < n -> rising low n p -> rising low n (add b v p).
Proof.
  induction p as [|j r IH]; intros b v low n L H; simpl.
  - destruct (Z.eqb_spec v 0) as [E|E]; [exact I|]. simpl. split; [lia|]. split; [exact E|exact I].
  - destruct H as [B [V R]].
    destruct (Z.ltb_spec b (border j)) as [Lt|Ge].
    + destruct (Z.eqb_spec v 0) as [E|E].
      * simpl. split; [lia|]. split; [exact V|exact R].
      * simpl. split; [lia|]. split; [exact E|]. split; [lia|]. split; [exact V|exact R].
    + destruct (Z.eqb_spec b (border j)) as [->|Ne].
      * destruct (Z.eqb_spec (by_ j + v) 0) as [S|S].
        -- apply (rising_weaken r (border j + 1) low n n); [lia|lia|exact R].
        -- simpl. split; [lia|]. split; [exact S|exact R].
      * simpl. split; [lia|]. split; [exact V|]. apply IH; [lia|exact R].
Qed.

(* The value of a digit; an extent of 0 is that of the outermost digit. *)
Definition digit_value (step extent i : Z) : Z := if extent =? 0 then i / step else (i / step) mod extent.

Definition add_digit (step extent stride n : Z) (p : places) : places :=
  let q := if step <? n then add step stride p else p in
  if (negb (extent =? 0)) && (step * extent <? n) then add (step * extent) (- (stride * extent)) q else q.

Theorem add_digit_place : forall p step extent stride n i, 0 < step -> 0 <= extent -> 0 <= i < n ->
  place (add_digit step extent stride n p) i = place p i + stride * digit_value step extent i.
Proof.
  intros p step extent stride n i S E I. unfold add_digit, digit_value.
  assert (Q : place (if step <? n then add step stride p else p) i = place p i + stride * (i / step)).
  { destruct (Z.ltb_spec step n); [rewrite add_place; lia|]. rewrite (Z.div_small i step) by lia. lia. }
  destruct (Z.eqb_spec extent 0) as [->|X]; simpl; [exact Q|].
  assert (P : 0 < step * extent) by nia.
  assert (D : i / (step * extent) = i / step / extent) by (rewrite Z.div_div; lia).
  pose proof (Z.div_mod (i / step) extent X) as M.
  destruct (Z.ltb_spec (step * extent) n).
  - rewrite add_place, Q, D. nia.
  - rewrite Q. assert (i / step / extent = 0) by (rewrite <- D; apply Z.div_small; lia). nia.
Qed.

Theorem add_digit_normal : forall p step extent stride n, 0 < step -> 0 <= extent -> normal n p ->
  normal n (add_digit step extent stride n p).
Proof.
  intros p step extent stride n S E N. unfold add_digit, normal in *.
  assert (Q : rising 1 n (if step <? n then add step stride p else p)).
  { destruct (Z.ltb_spec step n); [apply add_rising; [lia|exact N]|exact N]. }
  destruct (Z.eqb_spec extent 0) as [->|X]; simpl; [exact Q|].
  destruct (Z.ltb_spec (step * extent) n); [|exact Q]. apply add_rising; [nia|exact Q].
Qed.

(* ---- Another origin -------------------------------------------------------------------------------------------- *)

Fixpoint from (origin n : Z) (p : places) : option places :=
  match p with
  | [] => Some []
  | j :: r =>
      match from origin n r with
      | None => None
      | Some q =>
          let inside := origin mod border j in
          if inside =? 0 then Some (if border j <? n then j :: q else q)
          else if border j - inside <? n then None else Some q
      end
  end.

Theorem from_place : forall p origin n q low m, rising low m p -> 1 <= low -> 0 <= origin -> from origin n p = Some q ->
  forall i, 0 <= i < n -> place q i = place p (i + origin) - place p origin.
Proof.
  induction p as [|j r IH]; intros origin n q low m H L O S i I; simpl in S.
  - injection S as <-. reflexivity.
  - destruct H as [B [V R]]. destruct (from origin n r) as [t|] eqn:T; [|discriminate].
    assert (E : place t i = place r (i + origin) - place r origin) by (apply (IH origin n t (border j + 1) m); [exact R|lia|lia|exact T|exact I]).
    assert (P : 0 < border j) by lia.
    pose proof (Z.div_mod origin (border j) ltac:(lia)) as M.
    pose proof (Z.mod_pos_bound origin (border j) P) as MB.
    simpl. destruct (Z.eqb_spec (origin mod border j) 0) as [Z0|NZ].
    + assert (F : (i + origin) / border j = i / border j + origin / border j).
      { replace (i + origin) with (i + (origin / border j) * border j) by lia. apply Z.div_add. lia. }
      injection S as <-. destruct (Z.ltb_spec (border j) n); simpl; rewrite E, F; [lia|].
      rewrite (Z.div_small i (border j)) by lia. lia.
    + destruct (Z.ltb_spec (border j - origin mod border j) n); [discriminate|]. injection S as <-.
      assert (F : (i + origin) / border j = origin / border j).
      { symmetry. apply (Z.div_unique (i + origin) (border j) (origin / border j) (i + origin mod border j)); lia. }
      rewrite E, F. lia.
Qed.

(* ---- Where a place jumps --------------------------------------------------------------------------------------- *)

(* The jumps that an index is a multiple of. *)
Fixpoint fires (p : places) (x : Z) : Z :=
  match p with
  | [] => 0
  | j :: r => (if x mod border j =? 0 then by_ j else 0) + fires r x
  end.

Lemma floor_step : forall b x, 0 < b -> x / b - (x - 1) / b = if x mod b =? 0 then 1 else 0.
Proof.
  intros b x B. pose proof (Z.div_mod x b ltac:(lia)) as M. pose proof (Z.mod_pos_bound x b B) as MB.
  destruct (Z.eqb_spec (x mod b) 0) as [E|E].
  - assert ((x - 1) / b = x / b - 1).
    { symmetry. apply (Z.div_unique (x - 1) b (x / b - 1) (b - 1)); lia. }
    lia.
  - assert ((x - 1) / b = x / b).
    { symmetry. apply (Z.div_unique (x - 1) b (x / b) (x mod b - 1)); lia. }
    lia.
Qed.

Lemma fires_place : forall p low n x, rising low n p -> 1 <= low -> place p x - place p (x - 1) = fires p x.
Proof.
  induction p as [|j r IH]; intros low n x H L; simpl; [lia|].
  destruct H as [B [_ R]]. specialize (IH (border j + 1) n x R ltac:(lia)).
  pose proof (floor_step (border j) x ltac:(lia)) as F.
  destruct (x mod border j =? 0); nia.
Qed.

Lemma fires_app : forall p q x, fires (p ++ q) x = fires p x + fires q x.
Proof. induction p as [|j r IH]; intros q x; simpl; [reflexivity|rewrite IH; lia]. Qed.

Lemma fires_equal : forall p x y, (forall j, In j p -> (x mod border j = 0 <-> y mod border j = 0)) ->
  fires p x = fires p y.
Proof.
  induction p as [|j r IH]; intros x y H; simpl; [reflexivity|].
  rewrite (IH x y) by (intros; apply H; right; assumption).
  specialize (H j (or_introl eq_refl)).
  destruct (Z.eqb_spec (x mod border j) 0), (Z.eqb_spec (y mod border j) 0); tauto || lia.
Qed.

Lemma fires_none : forall p x, (forall j, In j p -> x mod border j <> 0) -> fires p x = 0.
Proof.
  induction p as [|j r IH]; intros x H; simpl; [reflexivity|].
  rewrite IH by (intros; apply H; right; assumption).
  specialize (H j (or_introl eq_refl)). destruct (Z.eqb_spec (x mod border j) 0); tauto || lia.
Qed.

(* ---- An axis that is split in two ------------------------------------------------------------------------------ *)

(* A border that a split into n inner indices can keep. *)
Definition fits (n : Z) (j : jump) : Prop := if border j <? n then (border j | n) else (n | border j).
Definition fits_b (n : Z) (j : jump) : bool := if border j <? n then n mod border j =? 0 else border j mod n =? 0.

(* The inner axis keeps the borders below n. A step of the outer axis is n indices. *)
Fixpoint inner (n : Z) (p : places) : places :=
  match p with
  | [] => []
  | j :: r => if border j <? n then j :: inner n r else inner n r
  end.
Fixpoint outer (n : Z) (p : places) : places :=
  match p with
  | [] => []
  | j :: r => if border j <? n then add 1 (by_ j * (n / border j)) (outer n r) else add (border j / n) (by_ j) (outer n r)
  end.
Definition split (n : Z) (p : places) : option (places * places) :=
  if forallb (fits_b n) p then Some (outer n p, inner n p) else None.

Lemma fits_b_fits : forall n j, 0 < n -> 0 < border j -> fits_b n j = true <-> fits n j.
Proof.
  intros n j N B. unfold fits, fits_b.
  destruct (border j <? n); rewrite Z.eqb_eq; split; intro H.
  - apply Z.mod_divide; [lia|exact H].
  - apply Z.mod_divide in H; [exact H|lia].
  - apply Z.mod_divide; [lia|exact H].
  - apply Z.mod_divide in H; [exact H|lia].
Qed.

Lemma floor_of_sum : forall b i n j, 0 < b -> (b | n) -> (i * n + j) / b = i * (n / b) + j / b.
Proof.
  intros b i n j B [k ->]. rewrite Z.div_mul by lia.
  replace (i * (k * b) + j) with (j + (i * k) * b) by lia. rewrite Z.div_add by lia. lia.
Qed.

Lemma floor_outside : forall b i n j, 0 < n -> 0 < b -> (n | b) -> 0 <= j < n -> (i * n + j) / b = i / (b / n).
Proof.
  intros b i n j N B [k ->] J. rewrite Z.div_mul by lia.
  assert (0 < k) by nia.
  replace (k * n) with (n * k) by lia. rewrite <- Z.div_div by lia. f_equal.
  symmetry. apply (Z.div_unique (i * n + j) n i j); lia.
Qed.

Theorem split_place : forall p n low m o h, rising low m p -> 1 <= low -> 0 < n -> split n p = Some (o, h) ->
  forall i j, 0 <= j < n -> place p (i * n + j) = place o i + place h j.
Proof.
  intros p n low m o h H L N S i j J. unfold split in S.
  destruct (forallb (fits_b n) p) eqn:F; [|discriminate]. injection S as <- <-.
  revert low m H L F. induction p as [|k r IH]; intros low m H L F; simpl; [lia|].
  destruct H as [B [_ R]]. simpl in F. apply andb_prop in F. destruct F as [F Fr].
  specialize (IH _ _ R ltac:(lia) Fr). apply fits_b_fits in F; [|lia|lia]. unfold fits in F.
  destruct (Z.ltb_spec (border k) n).
  - simpl. rewrite add_place, IH, Z.div_1_r, floor_of_sum by (try lia; exact F). lia.
  - rewrite add_place, IH, floor_outside by (try lia; exact F). lia.
Qed.

Lemma inner_rising : forall p n low m, rising low m p -> rising low (Z.min n m) (inner n p).
Proof.
  induction p as [|j r IH]; intros n low m H; simpl; [exact I|].
  destruct H as [B [V R]]. destruct (Z.ltb_spec (border j) n).
  - simpl. split; [lia|]. split; [exact V|]. apply IH. exact R.
  - apply (rising_weaken _ (border j + 1) low (Z.min n m) (Z.min n m)); [lia|lia|]. apply IH. exact R.
Qed.

Lemma outer_normal : forall p n low m k, rising low (m * n) p -> 1 <= low -> 0 < n -> 2 <= m -> k = m ->
  forallb (fits_b n) p = true -> normal k (outer n p).
Proof.
  induction p as [|j r IH]; intros n low m k H L N M K F; simpl; [exact I|]. subst k.
  destruct H as [B [V R]]. simpl in F. apply andb_prop in F. destruct F as [F Fr].
  assert (T : normal m (outer n r)) by (apply (IH n (border j + 1) m m); [exact R|lia|exact N|exact M|reflexivity|exact Fr]).
  apply fits_b_fits in F; [|lia|lia]. unfold fits in F. unfold normal in *.
  destruct (Z.ltb_spec (border j) n).
  - apply add_rising; [lia|exact T].
  - apply add_rising; [|exact T]. destruct F as [q Q]. rewrite Q, Z.div_mul by lia. nia.
Qed.

Lemma inner_place : forall p n low m j, rising low m p -> 1 <= low -> 0 <= j < n -> place (inner n p) j = place p j.
Proof.
  induction p as [|k r IH]; intros n low m j H L J; simpl; [reflexivity|].
  destruct H as [B [V R]]. specialize (IH n _ _ j R ltac:(lia) J).
  destruct (Z.ltb_spec (border k) n); simpl; rewrite IH; [reflexivity|]. rewrite (Z.div_small j) by lia. lia.
Qed.

Lemma mod_divides : forall b x, 0 < b -> x mod b = 0 <-> (b | x).
Proof. intros b x B. apply Z.mod_divide. lia. Qed.

Lemma divides_shift : forall b n x, (b | n) -> (b | n + x) <-> (b | x).
Proof.
  intros b n x D. split; intro H.
  - replace x with ((n + x) - n) by lia. apply Z.divide_sub_r; assumption.
  - apply Z.divide_add_r; assumption.
Qed.

Lemma chain_app_right : forall p q, chain (p ++ q) -> chain q.
Proof. induction p as [|j r IH]; intros q H; [exact H|]. destruct H as [_ H]. apply IH. exact H. Qed.

Lemma rising_app : forall p q low n, rising low n (p ++ q) ->
  rising low n p /\ exists low', low <= low' /\ rising low' n q /\ forall j, In j p -> border j < low'.
Proof.
  induction p as [|j r IH]; intros q low n H; simpl in *.
  - split; [exact I|]. exists low. split; [lia|]. split; [exact H|]. intros j [].
  - destruct H as [B [V R]]. destruct (IH q _ _ R) as [P [low' [L [Q S]]]].
    split; [repeat split; try lia; assumption|]. exists low'. split; [lia|]. split; [exact Q|].
    intros k [<-|K]; [lia|apply S; exact K].
Qed.

(* The first border that does not fit. *)
Lemma first_misfit : forall n p, ~ (forall j, In j p -> fits n j) -> 0 < n -> (forall j, In j p -> 0 < border j) ->
  exists a j b, p = a ++ j :: b /\ (forall k, In k a -> fits n k) /\ ~ fits n j.
Proof.
  intros n p H N P. induction p as [|j r IH].
  - exfalso. apply H. intros j [].
  - destruct (fits_b n j) eqn:F.
    + assert (G : fits n j) by (apply fits_b_fits; [exact N|apply P; left; reflexivity|exact F]).
      destruct IH as [a [k [b [E [A K]]]]].
      * intro R. apply H. intros k [<-|I]; [exact G|apply R; exact I].
      * intros k I. apply P. right. exact I.
      * exists (j :: a), k, b. split; [rewrite E; reflexivity|]. split; [|exact K].
        intros l [<-|I]; [exact G|apply A; exact I].
    + exists [], j, r. split; [reflexivity|]. split; [intros k []|].
      intro G. apply fits_b_fits in G; [congruence|exact N|apply P; left; reflexivity].
Qed.

(* If the borders divide each other and any functions o and h do what a split promises, every border fits. *)
Theorem split_is_complete : forall p n m (o h : Z -> Z), 0 < n -> 2 <= m -> normal (m * n) p -> chain p ->
  (forall i j, 0 <= i < m -> 0 <= j < n -> place p (i * n + j) = o i + h j) -> forall j, In j p -> fits n j.
Proof.
  intros p n m o h N M H C E.
  assert (P : forall j, In j p -> 0 < border j) by (intros j I; pose proof (rising_border _ _ _ _ H I); lia).
  assert (NN : ~ ~ (forall j, In j p -> fits n j)).
  2:{ intros j I. destruct (fits_b n j) eqn:F; [apply fits_b_fits; [exact N|apply P; exact I|exact F]|].
      exfalso. apply NN. intro G. specialize (G j I). apply fits_b_fits in G; [congruence|exact N|apply P; exact I]. }
  intro W. destruct (first_misfit n p W N P) as [a [j [b [-> [A J]]]]]. clear W.
  pose proof H as HH. apply rising_app in H. destruct H as [Ha [low' [L' [Hb S]]]].
  simpl in Hb. destruct Hb as [Bj [Vj Hb]].
  assert (Pj : 0 < border j) by lia.
  assert (Ba : forall k, In k a -> 1 <= border k < border j) by (intros k K; pose proof (rising_border _ _ _ _ Ha K); specialize (S k K); lia).
  assert (Bb : forall k, In k b -> border j < border k) by (intros k K; pose proof (rising_border _ _ _ _ Hb K); lia).
  assert (D : forall k, In k b -> (border j | border k)) by (apply chain_app_right in C; destruct C as [C _]; exact C).
  assert (F : forall x, fires (a ++ j :: b) x = place (a ++ j :: b) x - place (a ++ j :: b) (x - 1)) by (intro x; symmetry; apply (fires_place _ 1 (m * n)); [exact HH|lia]).
  unfold fits in J. destruct (Z.ltb_spec (border j) n) as [Small|Large].
  - (* At n + border j the inner axis jumps again, and no border is there. *)
    set (x := border j) in *.
    assert (E1 : fires (a ++ j :: b) (n + x) = fires (a ++ j :: b) x).
    { rewrite !F. pose proof (E 1 x ltac:(lia) ltac:(lia)) as E1. pose proof (E 1 (x - 1) ltac:(lia) ltac:(lia)) as E2.
      pose proof (E 0 x ltac:(lia) ltac:(lia)) as E3. pose proof (E 0 (x - 1) ltac:(lia) ltac:(lia)) as E4.
      replace (1 * n + x) with (n + x) in E1 by lia. replace (1 * n + (x - 1)) with (n + x - 1) in E2 by lia.
      replace (0 * n + x) with x in E3 by lia. replace (0 * n + (x - 1)) with (x - 1) in E4 by lia. lia. }
    rewrite !fires_app in E1. simpl in E1.
    assert (Ea : fires a (n + x) = fires a x).
    { apply fires_equal. intros k K. specialize (Ba k K). specialize (A k K). unfold fits in A.
      destruct (Z.ltb_spec (border k) n); [|lia]. rewrite !mod_divides by lia. apply divides_shift. exact A. }
    assert (Eb : fires b x = 0).
    { apply fires_none. intros k K. specialize (Bb k K). rewrite Z.mod_small; lia. }
    assert (Eb' : fires b (n + x) = 0).
    { apply fires_none. intros k K G. apply J. specialize (Bb k K). rewrite mod_divides in G by lia.
      assert (T : (x | n + x)) by (apply (Z.divide_trans _ (border k)); [apply D; exact K|exact G]).
      replace n with ((n + x) - x) by lia. apply Z.divide_sub_r; [exact T|apply Z.divide_refl]. }
    assert (Ej : (n + x) mod border j <> 0).
    { intro G. apply J. fold x in G. rewrite mod_divides in G by lia.
      replace n with ((n + x) - x) by lia. apply Z.divide_sub_r; [exact G|apply Z.divide_refl]. }
    destruct (Z.eqb_spec ((n + x) mod border j) 0); [contradiction|].
    assert (Ej' : x mod border j = 0) by (fold x; apply Z.mod_same; lia).
    destruct (Z.eqb_spec (x mod border j) 0); [|contradiction]. lia.
  - (* At this border the inner axis does not jump as it does in the first block. *)
    set (x := border j) in *. set (y := x mod n). set (i := x / n).
    pose proof (Z.div_mod x n ltac:(lia)) as X. fold y i in X. pose proof (Z.mod_pos_bound x n N) as Y. fold y in Y.
    assert (Y0 : y <> 0) by (intro G; apply J; apply Z.mod_divide; [lia|exact G]).
    assert (I0 : 0 <= i) by (apply Z.div_pos; lia).
    assert (I1 : i < m) by nia.
    assert (E1 : fires (a ++ j :: b) x = fires (a ++ j :: b) y).
    { rewrite !F. pose proof (E i y ltac:(lia) ltac:(lia)) as E1. pose proof (E i (y - 1) ltac:(lia) ltac:(lia)) as E2.
      pose proof (E 0 y ltac:(lia) ltac:(lia)) as E3. pose proof (E 0 (y - 1) ltac:(lia) ltac:(lia)) as E4.
      replace (i * n + y) with x in E1 by lia. replace (i * n + (y - 1)) with (x - 1) in E2 by lia.
      replace (0 * n + y) with y in E3 by lia. replace (0 * n + (y - 1)) with (y - 1) in E4 by lia. lia. }
    rewrite !fires_app in E1. simpl in E1.
    assert (Ea : fires a x = fires a y).
    { apply fires_equal. intros k K. specialize (Ba k K). specialize (A k K). unfold fits in A.
      rewrite !mod_divides by lia. destruct (Z.ltb_spec (border k) n) as [Lk|Gk].
      - replace x with (n * i + y) by lia. apply divides_shift. apply Z.divide_mul_l. exact A.
      - split; intro G.
        + exfalso. apply J. apply (Z.divide_trans _ (border k)); assumption.
        + exfalso. apply Z.divide_pos_le in G; lia. }
    assert (Eb : fires b x = 0) by (apply fires_none; intros k K; specialize (Bb k K); rewrite Z.mod_small; lia).
    assert (Eb' : fires b y = 0) by (apply fires_none; intros k K; specialize (Bb k K); rewrite Z.mod_small; lia).
    assert (Ej : x mod border j = 0) by (fold x; apply Z.mod_same; lia).
    assert (Ej' : y mod border j = y) by (apply Z.mod_small; fold x; lia).
    rewrite Ej, Ej' in E1. simpl in E1. destruct (Z.eqb_spec y 0); [contradiction|]. lia.
Qed.

Theorem split_refuses_only_what_has_no_split : forall p n m, 0 < n -> 2 <= m -> normal (m * n) p -> chain p ->
  split n p = None ->
  ~ exists o h : Z -> Z, forall i j, 0 <= i < m -> 0 <= j < n -> place p (i * n + j) = o i + h j.
Proof.
  intros p n m N M H C S [o [h E]]. unfold split in S.
  destruct (forallb (fits_b n) p) eqn:F; [discriminate|].
  assert (T : forallb (fits_b n) p = true).
  { apply forallb_forall. intros j I. apply fits_b_fits; [exact N|pose proof (rising_border _ _ _ _ H I); lia|].
    apply (split_is_complete p n m o h); assumption. }
  congruence.
Qed.

(* ---- Two axes that are joined ---------------------------------------------------------------------------------- *)

(* The places of (i, j) -> i * n + j. *)
Fixpoint scale (n : Z) (p : places) : places :=
  match p with
  | [] => []
  | j :: r => Jump (border j * n) (by_ j) :: scale n r
  end.
Fixpoint join_inner (n : Z) (h : places) (out : places) : places :=
  match h with
  | [] => out
  | j :: r => add n (- (by_ j * (n / border j))) (add (border j) (by_ j) (join_inner n r out))
  end.
Definition join (n : Z) (o h : places) : option places :=
  if forallb (fun j => n mod border j =? 0) h then Some (join_inner n h (scale n o)) else None.

Lemma scale_place : forall o low m n i j, rising low m o -> 1 <= low -> 0 < n -> 0 <= j < n ->
  place (scale n o) (i * n + j) = place o i.
Proof.
  induction o as [|k r IH]; intros low m n i j H L N J; simpl; [reflexivity|].
  destruct H as [B [_ R]]. rewrite (IH (border k + 1) m) by (try exact R; lia).
  rewrite (floor_outside (border k * n) i n j); [|lia|nia|exists (border k); reflexivity|lia].
  rewrite Z.div_mul by lia. lia.
Qed.

Theorem join_place : forall o h lo mo lh n p, rising lo mo o -> 1 <= lo -> rising lh n h -> 1 <= lh -> 0 < n ->
  join n o h = Some p -> forall i j, 0 <= j < n -> place p (i * n + j) = place o i + place h j.
Proof.
  intros o h lo mo lh n p O Lo H Lh N S i j J. unfold join in S.
  destruct (forallb _ h) eqn:F; [|discriminate]. injection S as <-.
  revert lh H Lh F. induction h as [|k r IH]; intros lh H Lh F; simpl.
  - rewrite (scale_place o lo mo); try assumption. lia.
  - destruct H as [B [_ R]]. simpl in F. apply andb_prop in F. destruct F as [F Fr].
    specialize (IH _ R ltac:(lia) Fr). apply Z.eqb_eq in F. apply mod_divides in F; [|lia].
    assert (D : (i * n + j) / n = i) by (symmetry; apply (Z.div_unique _ n i j); lia).
    rewrite !add_place, IH, D, (floor_of_sum (border k) i n j) by (try lia; exact F). lia.
Qed.

(* A join that is refused has no result whose borders divide each other. *)
Theorem join_refuses_only_what_has_no_join : forall h n m (o : Z -> Z), 0 < n -> 2 <= m -> normal n h -> o 0 = 0 ->
  forallb (fun j => n mod border j =? 0) h = false ->
  ~ exists p, normal (m * n) p /\ chain p /\
    forall i j, 0 <= i < m -> 0 <= j < n -> place p (i * n + j) = o i + place h j.
Proof.
  intros h n m o N M H O F [p [P [C E]]].
  assert (I : inner n p = h).
  { apply (places_are_unique n).
    - pose proof (inner_rising p n 1 (m * n) P) as R. replace (Z.min n (m * n)) with n in R by nia. exact R.
    - exact H.
    - intros j J. rewrite (inner_place p n 1 (m * n)) by (try exact P; lia).
      specialize (E 0 j ltac:(lia) J). simpl in E. rewrite E. lia. }
  assert (T : forallb (fun j => n mod border j =? 0) h = true).
  { apply forallb_forall. intros j J. apply Z.eqb_eq.
    pose proof (rising_border _ _ _ _ H J) as B. apply mod_divides; [lia|].
    assert (Jp : In j p).
    { rewrite <- I in J. clear -J. induction p as [|k r IH]; [contradiction|]. simpl in J.
      destruct (border k <? n); [destruct J as [->|J]; [left; reflexivity|]|]; right; apply IH; exact J. }
    pose proof (split_is_complete p n m o (place h) N M P C E j Jp) as G. unfold fits in G.
    destruct (Z.ltb_spec (border j) n); [exact G|lia]. }
  congruence.
Qed.

(* ---- Larger elements ------------------------------------------------------------------------------------------- *)

(* The places of elements of m units: m units side by side along this axis become one element. *)
Definition is_dense (p : places) : bool := match p with [j] => (border j =? 1) && (by_ j =? 1) | _ => false end.
Fixpoint divide (m : Z) (p : places) : places :=
  match p with
  | [] => []
  | j :: r => Jump (border j) (by_ j / m) :: divide m r
  end.
Definition recast (m : Z) (p : places) : option places :=
  match split m p with
  | Some (o, h) => if is_dense h && forallb (fun j => by_ j mod m =? 0) o then Some (divide m o) else None
  | None => None
  end.

Lemma divide_place : forall o m i, 0 < m -> forallb (fun j => by_ j mod m =? 0) o = true ->
  place o i = m * place (divide m o) i.
Proof.
  induction o as [|j r IH]; intros m i M F; simpl; [lia|].
  simpl in F. apply andb_prop in F. destruct F as [F Fr]. apply Z.eqb_eq in F.
  rewrite (IH m i M Fr). pose proof (Z.div_mod (by_ j) m ltac:(lia)). nia.
Qed.

Theorem recast_place : forall p m low n q, rising low n p -> 1 <= low -> 0 < m -> recast m p = Some q ->
  forall i j, 0 <= j < m -> place p (i * m + j) = m * place q i + j.
Proof.
  intros p m low n q H L M S i j J. unfold recast in S.
  destruct (split m p) as [[o h]|] eqn:T; [|discriminate].
  destruct (is_dense h) eqn:D; [|discriminate]. simpl in S.
  destruct (forallb _ o) eqn:F; [|discriminate]. injection S as <-.
  rewrite (split_place p m low n o h H L M T i j J), (divide_place o m i M F).
  destruct h as [|k [|? ?]]; simpl in D; try discriminate.
  apply andb_prop in D. destruct D as [D1 D2]. apply Z.eqb_eq in D1, D2. simpl. rewrite D1, D2, Z.div_1_r. lia.
Qed.

Lemma multiples : forall p low n m, rising low n p -> 1 <= low -> 0 < m ->
  (forall i, 0 <= i < n -> (m | place p i)) -> forall j, In j p -> (m | by_ j).
Proof.
  induction p as [|k r IH]; intros low n m H L M E j I; [contradiction|].
  pose proof (place_at_first k r low n H L) as F. destruct H as [B [V R]].
  assert (K : (m | by_ k)) by (rewrite <- F; apply E; lia).
  destruct I as [<-|I]; [exact K|].
  apply (IH (border k + 1) n m); [exact R|lia|exact M| |exact I].
  intros i Hi. specialize (E i Hi). simpl in E.
  replace (place r i) with ((by_ k * (i / border k) + place r i) - by_ k * (i / border k)) by lia.
  apply Z.divide_sub_r; [exact E|apply Z.divide_mul_l; exact K].
Qed.

(* A recast that is refused has no result, if m divides the number of indices and they are more than one element. *)
Theorem recast_refuses_only_what_has_no_recast : forall p m n, 2 <= m -> 2 <= n -> normal (n * m) p -> chain p ->
  recast m p = None ->
  ~ exists q : Z -> Z, q 0 = 0 /\ forall i j, 0 <= i < n -> 0 <= j < m -> place p (i * m + j) = m * q i + j.
Proof.
  intros p m n M N H C S [q [Q E]].
  assert (F : forall j, In j p -> fits m j) by (apply (split_is_complete p m n (fun i => m * q i) (fun j => j)); try assumption; lia).
  assert (Fb : forallb (fits_b m) p = true).
  { apply forallb_forall. intros j I. apply fits_b_fits; [lia|pose proof (rising_border _ _ _ _ H I); lia|apply F; exact I]. }
  unfold recast in S. assert (T : split m p = Some (outer m p, inner m p)) by (unfold split; rewrite Fb; reflexivity).
  rewrite T in S.
  assert (D : inner m p = [Jump 1 1]).
  { apply (places_are_unique m).
    - pose proof (inner_rising p m 1 (n * m) H) as R. replace (Z.min m (n * m)) with m in R by nia. exact R.
    - unfold normal. simpl. split; [lia|]. split; [lia|exact I].
    - intros j J. rewrite (inner_place p m 1 (n * m)) by (try exact H; lia).
      specialize (E 0 j ltac:(lia) J). replace (0 * m + j) with j in E by lia. rewrite E, Q. cbn [place border by_]. rewrite Z.div_1_r. lia. }
  rewrite D in S. simpl in S.
  assert (O : forallb (fun j => by_ j mod m =? 0) (outer m p) = true).
  { apply forallb_forall. intros j I. apply Z.eqb_eq. apply mod_divides; [lia|].
    assert (R : normal n (outer m p)) by (apply (outer_normal p m 1 n n); try assumption; lia).
    apply (multiples (outer m p) 1 n m); [exact R|lia|lia| |exact I].
    intros i J. pose proof (split_place p m 1 (n * m) _ _ H ltac:(lia) ltac:(lia) T i 0 ltac:(lia)) as P.
    rewrite (E i 0 J ltac:(lia)) in P. rewrite D in P. simpl in P. exists (q i). lia. }
  rewrite O in S. discriminate.
Qed.

(* ---- The loops of several places ------------------------------------------------------------------------------- *)

(* Steps of loops, innermost first: each divides the next. *)
Fixpoint steps_ok (s : Z) (rest : list Z) : Prop :=
  match rest with
  | [] => True
  | t :: r => s < t /\ (s | t) /\ steps_ok t r
  end.
Definition last_step (s : Z) (rest : list Z) : Z := last rest s.

(* The value of each loop at index i times what a step of it adds, summed. The outermost loop has the last step. *)
Fixpoint walk (add_of : Z -> Z) (s : Z) (rest : list Z) (i : Z) : Z :=
  match rest with
  | [] => (i / s) * add_of s
  | t :: r => ((i / s) mod (t / s)) * add_of s + walk add_of t r i
  end.

(* What is left to the outermost loop: jumps whose borders are multiples of its step. *)
Fixpoint uneven (s : Z) (p : places) : places :=
  match p with
  | [] => []
  | j :: r => if border j <=? s then uneven s r else Jump (border j / s) (by_ j) :: uneven s r
  end.

Definition covered (s : Z) (rest : list Z) (p : places) : Prop :=
  forall j, In j p -> In (border j) (s :: rest) \/ (last_step s rest < border j /\ (last_step s rest | border j)).

Lemma walk_add : forall f g s rest i, walk (fun t => f t + g t) s rest i = walk f s rest i + walk g s rest i.
Proof. intros f g s rest. revert s. induction rest as [|t r IH]; intros s i; simpl; [lia|rewrite IH; lia]. Qed.

Lemma walk_scale : forall c f s rest i, walk (fun t => c * f t) s rest i = c * walk f s rest i.
Proof. intros c f s rest. revert s. induction rest as [|t r IH]; intros s i; simpl; [lia|rewrite IH; lia]. Qed.

Lemma last_default : forall (l : list Z) t s d, last (t :: l) s = last (t :: l) d.
Proof. induction l as [|u r IH]; intros t s d; [reflexivity|]. change (last (u :: r) s = last (u :: r) d). apply IH. Qed.

Lemma last_step_cons : forall s t r, last_step s (t :: r) = last_step t r.
Proof.
  intros s t r. unfold last_step. destruct r as [|u w]; [reflexivity|].
  change (last (u :: w) s = last (u :: w) t). apply last_default.
Qed.

Lemma last_step_least : forall rest s, 0 < s -> steps_ok s rest -> s <= last_step s rest.
Proof.
  induction rest as [|t r IH]; intros s S O; [unfold last_step; simpl; lia|].
  destruct O as [L [_ O]]. rewrite last_step_cons. specialize (IH t ltac:(lia) O). lia.
Qed.

(* One jump whose border divides the first step. *)
Lemma walk_of_divisor : forall rest s b i, 0 < b -> 0 < s -> (b | s) -> steps_ok s rest ->
  walk (fun t => t / b) s rest i = (i / s) * (s / b).
Proof.
  induction rest as [|t r IH]; intros s b i B S D O; simpl; [reflexivity|].
  destruct O as [L [Dt O]]. rewrite (IH t b i) by (try exact O; try lia; apply (Z.divide_trans _ s); assumption).
  destruct Dt as [k ->]. destruct D as [q ->].
  assert (0 < k) by nia. assert (0 < q) by nia.
  rewrite (Z.div_mul k) by lia. rewrite (Z.div_mul q) by lia.
  replace (k * (q * b) / b) with (k * q) by (rewrite Z.mul_assoc; rewrite Z.div_mul; lia).
  replace (k * (q * b)) with (q * b * k) by lia. rewrite <- (Z.div_div i (q * b) k) by lia.
  pose proof (Z.div_mod (i / (q * b)) k ltac:(lia)). nia.
Qed.

Lemma walk_of_later : forall rest s b i, 0 < s -> steps_ok s rest -> In b (s :: rest) ->
  walk (fun t => t / b) s rest i = i / b.
Proof.
  induction rest as [|t r IH]; intros s b i S O I.
  - destruct I as [->|[]]. simpl. rewrite Z.div_same by lia. lia.
  - destruct I as [->|I].
    + rewrite walk_of_divisor; [|lia|lia|apply Z.divide_refl|exact O]. rewrite Z.div_same by lia. lia.
    + destruct O as [L [D O]]. simpl. rewrite (IH t b i) by (try assumption; lia).
      assert (s < b).
      { destruct I as [->|I]; [exact L|]. clear IH D S i. revert t L O I.
        induction r as [|u w IHr]; intros t L O I; [contradiction|].
        destruct O as [Lt [_ O]]. destruct I as [->|I]; [lia|]. apply (IHr u); [lia|exact O|exact I]. }
      rewrite (Z.div_small s b) by lia. lia.
Qed.

Lemma walk_of_larger : forall rest s b i, 0 < s -> steps_ok s rest -> last_step s rest < b ->
  walk (fun t => t / b) s rest i = 0.
Proof.
  induction rest as [|t r IH]; intros s b i S O L.
  - unfold last_step in L. simpl in *. rewrite (Z.div_small s b) by lia. lia.
  - rewrite last_step_cons in L. destruct O as [Lt [_ O]].
    pose proof (last_step_least r t ltac:(lia) O). simpl. rewrite (IH t b i) by (try assumption; lia).
    rewrite (Z.div_small s b) by lia. lia.
Qed.

(* A refinement is the function that it refines: what a step of a loop adds is the place of that step. *)
Theorem refinement_is_the_place : forall p s rest i, 0 < s -> steps_ok s rest -> covered s rest p ->
  (forall j, In j p -> 0 < border j) ->
  place p i = walk (place p) s rest i + place (uneven (last_step s rest) p) (i / last_step s rest).
Proof.
  intros p s rest i S O C P. pose proof (last_step_least rest s S O) as L0.
  induction p as [|j r IH].
  - assert (Z0 : forall t q, walk (place []) t q i = 0).
    { intros t q. revert t. induction q as [|u q IH]; intros t; simpl; [lia|rewrite IH; lia]. }
    rewrite Z0. reflexivity.
  - assert (W : walk (place (j :: r)) s rest i = by_ j * walk (fun t => t / border j) s rest i + walk (place r) s rest i).
    { rewrite <- walk_scale, <- walk_add. reflexivity. }
    rewrite W. simpl. rewrite IH by (intros k K; apply C || apply P; right; exact K). clear W IH.
    pose proof (P j (or_introl eq_refl)) as B.
    destruct (C j (or_introl eq_refl)) as [I|[G D]].
    + rewrite walk_of_later by assumption.
      assert (Le : border j <= last_step s rest).
      { clear -I S O. revert s S O I. induction rest as [|t q IH]; intros s S O I.
        - destruct I as [<-|[]]. unfold last_step. simpl. lia.
        - rewrite last_step_cons. destruct O as [L [_ O]]. destruct I as [<-|I].
          + pose proof (last_step_least q t ltac:(lia) O). lia.
          + apply IH; [lia|exact O|exact I]. }
      destruct (Z.leb_spec (border j) (last_step s rest)); [lia|lia].
    + rewrite walk_of_larger by (try assumption; lia).
      destruct (Z.leb_spec (border j) (last_step s rest)); [lia|]. simpl.
      rewrite Z.div_div by (try lia; apply Z.div_str_pos; lia).
      assert (last_step s rest * (border j / last_step s rest) = border j).
      { destruct D as [k ->]. rewrite Z.div_mul by lia. lia. }
      rewrite H0. lia.
Qed.

(* The loops visit index i at exactly the values that sum to i. *)
Corollary loops_visit_each_index : forall rest s i, s = 1 -> steps_ok s rest -> walk (fun t => t) s rest i = i.
Proof.
  intros rest s i -> O.
  assert (E : forall t r, walk (fun u => u) t r i = walk (fun u => u / 1) t r i).
  { intros t r. revert t. induction r as [|u r IH]; intros t; simpl; rewrite ?Z.div_1_r; [reflexivity|rewrite IH; reflexivity]. }
  rewrite E, walk_of_divisor by (try exact O; try lia; apply Z.divide_refl). rewrite !Z.div_1_r. lia.
Qed.

(* The steps that refine_axis computes: borders that divide all above, and the greatest common divisor of the others. *)
Fixpoint common (l : list Z) : Z := match l with [] => 0 | b :: r => Z.gcd b (common r) end.
Fixpoint steps_from (previous : Z) (borders : list Z) : list Z :=
  match borders with
  | [] => []
  | b :: r =>
      let g := Z.gcd b (common r) in
      if g =? previous then [] else g :: (if g =? b then steps_from g r else [])
  end.
Fixpoint sorted (low : Z) (l : list Z) : Prop := match l with [] => True | b :: r => low < b /\ sorted b r end.

Lemma common_divides : forall l b, In b l -> (common l | b).
Proof.
  induction l as [|c r IH]; intros b I; [contradiction|]. simpl. destruct I as [->|I]; [apply Z.gcd_divide_l|].
  apply (Z.divide_trans _ (common r)); [apply Z.gcd_divide_r|apply IH; exact I].
Qed.
Lemma divides_common : forall l d, (forall b, In b l -> (d | b)) -> (d | common l).
Proof.
  induction l as [|c r IH]; intros d H; simpl; [apply Z.divide_0_r|].
  apply Z.gcd_greatest; [apply H; left; reflexivity|apply IH; intros b I; apply H; right; exact I].
Qed.

Lemma sorted_above : forall l low b, sorted low l -> In b l -> low < b.
Proof.
  induction l as [|c r IH]; intros low b H I; [contradiction|]. destruct H as [L H].
  destruct I as [->|I]; [exact L|]. specialize (IH _ _ H I). lia.
Qed.

Theorem steps_cover : forall l previous, 0 < previous -> sorted previous l -> (forall b, In b l -> (previous | b)) ->
  let rest := steps_from previous l in
  steps_ok previous rest /\
  forall b, In b l -> In b rest \/ (last_step previous rest < b /\ (last_step previous rest | b)).
Proof.
  induction l as [|b r IH]; intros previous P H D; simpl; [split; [exact I|intros b []]|].
  destruct H as [L H]. set (g := Z.gcd b (common r)).
  assert (Gb : (g | b)) by apply Z.gcd_divide_l.
  assert (Gr : forall c, In c r -> (g | c)) by (intros c I; apply (Z.divide_trans _ (common r)); [apply Z.gcd_divide_r|apply common_divides; exact I]).
  assert (Pg : (previous | g)).
  { apply Z.gcd_greatest; [apply D; left; reflexivity|apply divides_common; intros c I; apply D; right; exact I]. }
  assert (G0 : 0 < g).
  { pose proof (Z.gcd_nonneg b (common r)). destruct (Z.eq_dec g 0) as [E|E]; [|unfold g in *; lia].
    rewrite E in Gb. destruct Gb as [k K]. lia. }
  assert (Gle : g <= b) by (apply Z.divide_pos_le; [lia|exact Gb]).
  destruct (Z.eqb_spec g previous) as [E|E].
  - simpl. split; [exact I|]. intros c C. right. unfold last_step. simpl.
    split; [|apply D; exact C]. destruct C as [<-|C]; [exact L|]. pose proof (sorted_above _ _ _ H C). lia.
  - assert (previous < g) by (apply Z.divide_pos_le in Pg; lia).
    destruct (Z.eqb_spec g b) as [F|F].
    + rewrite F in *. destruct (IH b ltac:(lia) H Gr) as [O C]. split.
      * simpl. repeat split; [lia|exact Pg|exact O].
      * intros c [<-|I]; [left; left; reflexivity|]. rewrite last_step_cons.
        destruct (C c I) as [X|X]; [left; right; exact X|right; exact X].
    + split; [simpl; repeat split; [lia|exact Pg]|]. intros c C. right. unfold last_step. simpl.
      destruct C as [<-|C]; [split; [lia|exact Gb]|]. split; [|apply Gr; exact C].
      pose proof (sorted_above _ _ _ H C). lia.
Qed.

(* ---- The checker of loops -------------------------------------------------------------------------------------- *)

(* A certificate of one axis for one place: steps, what a step of each loop adds, and the jumps that are left. *)
Record loop := Loop { step : Z; by_step : Z }.

Fixpoint loops_value (l : list loop) (i : Z) : Z :=
  match l with
  | [] => 0
  | [a] => (i / step a) * by_step a
  | a :: ((b :: _) as r) => ((i / step a) mod (step b / step a)) * by_step a + loops_value r i
  end.

Fixpoint same_places (a b : places) : bool :=
  match a, b with
  | [], [] => true
  | j :: r, k :: s => (border j =? border k) && (by_ j =? by_ k) && same_places r s
  | _, _ => false
  end.
Fixpoint check_steps (s : Z) (rest : list Z) : bool :=
  match rest with
  | [] => true
  | t :: r => (s <? t) && (t mod s =? 0) && check_steps t r
  end.
Definition check_border (s : Z) (rest : list Z) (j : jump) : bool :=
  (0 <? border j) &&
  (existsb (Z.eqb (border j)) (s :: rest) ||
   ((last_step s rest <? border j) && (border j mod last_step s rest =? 0))).
Definition check (p : places) (l : list loop) (left : places) : bool :=
  match l with
  | [] => false
  | a :: r =>
      (step a =? 1) && check_steps (step a) (map step r) &&
      forallb (check_border (step a) (map step r)) p &&
      forallb (fun b => by_step b =? place p (step b)) l &&
      same_places left (uneven (last_step (step a) (map step r)) p)
  end.

Lemma same_places_equal : forall a b, same_places a b = true -> a = b.
Proof.
  induction a as [|j r IH]; intros [|k s] H; simpl in H; try discriminate; [reflexivity|].
  apply andb_prop in H. destruct H as [H R]. apply andb_prop in H. destruct H as [B V].
  apply Z.eqb_eq in B, V. rewrite (IH s R). destruct j, k; simpl in *; congruence.
Qed.

Lemma check_steps_ok : forall rest s, 0 < s -> check_steps s rest = true -> steps_ok s rest.
Proof.
  induction rest as [|t r IH]; intros s S H; simpl in *; [exact I|].
  apply andb_prop in H. destruct H as [H R]. apply andb_prop in H. destruct H as [L D].
  apply Z.ltb_lt in L. apply Z.eqb_eq in D. apply Z.mod_divide in D; [|lia]. repeat split; [exact L|exact D|].
  apply IH; [lia|exact R].
Qed.

Lemma loops_are_a_walk : forall r a f i, (forall b, In b (a :: r) -> by_step b = f (step b)) ->
  loops_value (a :: r) i = walk f (step a) (map step r) i.
Proof.
  induction r as [|b r IH]; intros a f i H.
  - simpl. rewrite (H a (or_introl eq_refl)). reflexivity.
  - change (loops_value (a :: b :: r) i) with (((i / step a) mod (step b / step a)) * by_step a + loops_value (b :: r) i).
    rewrite (IH b f i) by (intros c I; apply H; right; exact I). rewrite (H a (or_introl eq_refl)). reflexivity.
Qed.

(* What the checker accepts is the place, at every index. *)
Theorem checked_loops_are_the_place : forall p l left, check p l left = true ->
  forall i, place p i = loops_value l i + place left (i / last (map step l) 1).
Proof.
  intros p [|a r] left H i; simpl in H; [discriminate|].
  apply andb_prop in H. destruct H as [H S]. apply andb_prop in H. destruct H as [H B].
  apply andb_prop in H. destruct H as [H C]. apply andb_prop in H. destruct H as [A O].
  apply Z.eqb_eq in A. apply same_places_equal in S. subst left.
  assert (P : 0 < step a) by lia.
  apply check_steps_ok in O; [|exact P].
  assert (E : last (map step (a :: r)) 1 = last_step (step a) (map step r)).
  { simpl. unfold last_step. destruct (map step r) as [|z l]; [reflexivity|apply last_default]. }
  rewrite E. rewrite (loops_are_a_walk r a (place p) i).
  - apply refinement_is_the_place; [exact P|exact O| |].
    + intros j J. rewrite forallb_forall in C. specialize (C j J). unfold check_border in C.
      apply andb_prop in C. destruct C as [_ C]. apply orb_prop in C. destruct C as [C|C].
      * left. apply existsb_exists in C. destruct C as [b [I Eb]]. apply Z.eqb_eq in Eb. rewrite Eb. exact I.
      * right. apply andb_prop in C. destruct C as [L D]. apply Z.ltb_lt in L. apply Z.eqb_eq in D.
        pose proof (last_step_least (map step r) (step a) P O).
        apply Z.mod_divide in D; [|lia]. split; [exact L|exact D].
    + intros j J. rewrite forallb_forall in C. specialize (C j J). unfold check_border in C.
      apply andb_prop in C. destruct C as [C _]. apply Z.ltb_lt in C. exact C.
  - intros b I. change (forallb (fun b => by_step b =? place p (step b)) (a :: r) = true) in B.
    rewrite forallb_forall in B. apply Z.eqb_eq. apply (B b I).
Qed.

Print Assumptions places_are_unique.
Print Assumptions places_exist.
Print Assumptions add_digit_place.
Print Assumptions add_digit_normal.
Print Assumptions from_place.
Print Assumptions split_place.
Print Assumptions split_refuses_only_what_has_no_split.
Print Assumptions join_place.
Print Assumptions join_refuses_only_what_has_no_join.
Print Assumptions recast_place.
Print Assumptions recast_refuses_only_what_has_no_recast.
Print Assumptions refinement_is_the_place.
Print Assumptions loops_visit_each_index.
Print Assumptions steps_cover.
Print Assumptions checked_loops_are_the_place.
