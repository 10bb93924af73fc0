CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, member INTEGER NOT NULL);
CREATE TABLE products (sku TEXT PRIMARY KEY, title TEXT NOT NULL, list_price INTEGER NOT NULL, final_sale INTEGER NOT NULL);
CREATE TABLE stock (sku TEXT NOT NULL, shelf TEXT NOT NULL, quantity INTEGER NOT NULL, PRIMARY KEY (sku, shelf));
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL, paid_on TEXT NOT NULL, delivered_on TEXT,
  state TEXT NOT NULL, shipping INTEGER NOT NULL, discount INTEGER NOT NULL);
CREATE TABLE order_lines (id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL, sku TEXT NOT NULL, quantity INTEGER NOT NULL,
  unit_price INTEGER NOT NULL, state TEXT NOT NULL);
CREATE TABLE payments (id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL, method TEXT NOT NULL, amount INTEGER NOT NULL);
CREATE TABLE gift_cards (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL, balance INTEGER NOT NULL);
CREATE TABLE refunds (id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL, method TEXT NOT NULL, amount INTEGER NOT NULL,
  reason TEXT NOT NULL);
CREATE TABLE tickets (id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL, body TEXT NOT NULL, state TEXT NOT NULL);
CREATE TABLE desk_log (id INTEGER PRIMARY KEY, ticket_id INTEGER NOT NULL, action TEXT NOT NULL);

INSERT INTO customers VALUES (1,'Ines Calloway',0),(2,'Bram Oosterhuis',1),(3,'Priya Natarajan',0),(4,'Tomas Wieland',1),
  (5,'Aoife Brennan',0),(6,'Jun Takeda',1);
INSERT INTO products VALUES
  ('BOOT-42','Scree boots, size 42',15900,0),('JACK-M','Squall jacket, M',9900,0),('GLOV-M','Liner gloves, M',3050,0),
  ('STOV','Burner stove',6200,0),('POTS','Two-pot set',3400,0),('MUGS','Steel mugs, pair',1500,0),
  ('TENT','Ridge tent, two people',18990,0),('SOCK','Merino socks',2200,1),('LAMP','Head torch',4450,0);
INSERT INTO stock VALUES ('BOOT-42','sale',6),('BOOT-42','inspect',0),('JACK-M','sale',11),('JACK-M','inspect',1),
  ('GLOV-M','sale',20),('GLOV-M','inspect',0),('STOV','sale',4),('STOV','inspect',2),('POTS','sale',9),('POTS','inspect',0),
  ('MUGS','sale',30),('MUGS','inspect',0),('TENT','sale',3),('TENT','inspect',1),('SOCK','sale',44),('SOCK','inspect',0),
  ('LAMP','sale',12),('LAMP','inspect',0);
INSERT INTO orders VALUES
  (6950,5,'2025-02-27','2025-03-03','delivered',590,0),(6981,6,'2025-03-01','2025-03-04','delivered',0,0),
  (7001,1,'2025-03-12',NULL,'shipped',690,0),(7002,3,'2025-03-08','2025-03-11','delivered',490,0),
  (7003,5,'2025-03-15','2025-03-18','delivered',590,2200),(7004,4,'2025-01-22','2025-02-10','delivered',0,0),
  (7005,2,'2025-03-20','2025-03-22','delivered',490,0),(7006,6,'2025-03-21',NULL,'shipped',690,0);
INSERT INTO order_lines VALUES
  (1,6950,'LAMP',1,4450,'returned'),(2,6981,'JACK-M',1,9900,'delivered'),(3,7001,'BOOT-42',1,15900,'shipped'),
  (4,7001,'SOCK',2,2200,'shipped'),(5,7002,'JACK-M',1,9900,'delivered'),(6,7002,'GLOV-M',1,3050,'delivered'),
  (7,7003,'STOV',1,6200,'delivered'),(8,7003,'POTS',1,3400,'delivered'),(9,7003,'MUGS',1,1500,'delivered'),
  (10,7004,'TENT',1,18990,'delivered'),(11,7004,'SOCK',1,2200,'delivered'),(12,7005,'LAMP',2,4450,'delivered'),
  (13,7006,'BOOT-42',1,15900,'shipped');
INSERT INTO payments VALUES
  (1,6950,'bank_card',5040),(2,6981,'bank_card',9900),(3,7001,'bank_card',20990),(4,7002,'gift_card',4500),
  (5,7002,'bank_card',8940),(6,7003,'bank_card',9490),(7,7004,'bank_card',21190),(8,7005,'bank_card',9390),
  (9,7006,'bank_card',16590);
INSERT INTO gift_cards VALUES (31,3,1250),(32,4,0),(33,2,5000),(34,6,750);
INSERT INTO refunds VALUES (1,6950,'bank_card',4450,'returned'),(2,6981,'bank_card',1000,'goodwill');
INSERT INTO tickets VALUES
  (499,6950,'The head torch flickers, sending it back.','solved'),
  (500,6981,'A seam came loose, can I have something off?','solved'),
  (501,7001,'Your carrier admits that the parcel is lost. I want my money back.','open'),
  (502,7002,'The jacket does not fit, never worn, tags still on. It is back with you since Friday. Keeping the gloves.','open'),
  (503,7003,'The stove of the camp kitchen is not for me after one evening with it. Sent back; I keep pots and mugs.','open'),
  (504,7004,'Sending back the tent (still sealed) and the socks, the trip was called off. I am a club member.','open'),
  (505,7005,'Do the head torches take rechargeable cells?','waiting'),
  (506,7006,'Where is my parcel?','waiting');
INSERT INTO desk_log VALUES (1,499,'refunded'),(2,500,'refunded'),(3,505,'asked the maker');
