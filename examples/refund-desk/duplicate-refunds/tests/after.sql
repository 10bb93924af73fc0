-- Duplicates: 351, 352, 353, 354, 359, 360, 361. Not: 355 (first run void), 356 (other line), 357 (other method),
-- 358 (other amount), 362 (repeats B-0313), 363 (new).
UPDATE refunds SET state = 'void' WHERE id IN (351, 352, 354, 359, 360, 361);
INSERT INTO reversals VALUES (351,4500),(352,2000),(354,1100),(359,1000),(360,500),(361,1850);
UPDATE gift_cards SET balance = 3200 WHERE id = 41;
UPDATE gift_cards SET balance = 0 WHERE id IN (42, 43);
