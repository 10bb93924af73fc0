-- What the four tickets leave when they are settled as the policy says.
INSERT INTO refunds (order_id, method, amount, reason) VALUES
  (7001,'bank_card',20990,'lost'),          -- 15900 + 2 x 2200 + 690 shipping
  (7002,'bank_card',8940,'returned'),       -- jacket 9900: the bank card paid 8940 of the order
  (7002,'gift_card',960,'returned'),        -- and the rest goes back on the gift card
  (7003,'bank_card',4000,'returned'),       -- 11100 - 2200 paid for the goods, less 3400 + 1500 kept
  (7004,'gift_card',16141,'returned');      -- day 49 of a member: 18990 less 15 % (2848.50, half up 2849)
UPDATE gift_cards SET balance = balance + 960 WHERE id = 31;
UPDATE gift_cards SET balance = balance + 16141 WHERE id = 32;
UPDATE orders SET state = 'refunded' WHERE id = 7001;
UPDATE order_lines SET state = 'returned' WHERE id IN (5, 7, 10);
UPDATE stock SET quantity = quantity + 1 WHERE (sku, shelf) IN (('JACK-M','sale'), ('STOV','inspect'), ('TENT','sale'));
UPDATE tickets SET state = 'solved' WHERE id BETWEEN 501 AND 504;
INSERT INTO desk_log (ticket_id, action) VALUES (501,'refunded'),(502,'refunded'),(503,'refunded'),(504,'refunded');
