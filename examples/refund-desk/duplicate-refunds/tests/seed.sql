CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE gift_cards (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL, balance INTEGER NOT NULL);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL);
CREATE TABLE refunds (id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL, line INTEGER NOT NULL, method TEXT NOT NULL,
  cents INTEGER NOT NULL, batch TEXT NOT NULL, state TEXT NOT NULL);
CREATE TABLE reversals (refund_id INTEGER PRIMARY KEY, cents INTEGER NOT NULL);

INSERT INTO customers VALUES (1,'Ellen Marsh'),(2,'Tunde Adeyemi'),(3,'Carver & Sons, Ltd'),(4,'Noor Jansen'),(5,'Pietro Galli'),
  (6,'Hana Suzuki'),(7,'Ruth Abel'),(8,'Dmitri Sokol'),(9,'Isla "Izzy" Grant'),(10,'Paul Weber'),(11,'Ana Duarte');
INSERT INTO gift_cards VALUES (41,2,5200),(42,4,1100),(43,9,1500),(44,7,990),(45,11,300);
INSERT INTO orders VALUES (7101,1),(7102,2),(7103,3),(7104,4),(7105,5),(7106,6),(7107,7),(7108,8),(7109,9),(7110,10),(7111,11);
INSERT INTO refunds VALUES
  (290,7111,1,'bank_card',700,'B-0313','paid_out'),(291,7110,2,'bank_card',1850,'B-0313','paid_out'),
  (301,7101,1,'bank_card',4500,'B-0314','paid_out'),(302,7102,1,'gift_card',2000,'B-0314','paid_out'),
  (303,7103,2,'bank_card',8990,'B-0314','paid_out'),(304,7104,1,'gift_card',3000,'B-0314','paid_out'),
  (305,7105,1,'bank_card',1500,'B-0314','void'),(306,7106,1,'bank_card',2500,'B-0314','queued'),
  (307,7107,1,'gift_card',990,'B-0314','paid_out'),(308,7108,3,'bank_card',1200,'B-0314','paid_out'),
  (309,7109,1,'gift_card',1000,'B-0314','paid_out'),(310,7109,2,'gift_card',1000,'B-0314','paid_out'),
  (311,7110,1,'bank_card',1850,'B-0314','queued'),
  (351,7101,1,'bank_card',4500,'B-0314R','queued'),(352,7102,1,'gift_card',2000,'B-0314R','paid_out'),
  (353,7103,2,'bank_card',8990,'B-0314R','paid_out'),(354,7104,1,'gift_card',3000,'B-0314R','paid_out'),
  (355,7105,1,'bank_card',1500,'B-0314R','paid_out'),(356,7106,2,'bank_card',2500,'B-0314R','queued'),
  (357,7107,1,'bank_card',990,'B-0314R','queued'),(358,7108,3,'bank_card',600,'B-0314R','paid_out'),
  (359,7109,1,'gift_card',1000,'B-0314R','paid_out'),(360,7109,2,'gift_card',1000,'B-0314R','paid_out'),
  (361,7110,1,'bank_card',1850,'B-0314R','queued'),(362,7111,1,'bank_card',700,'B-0314R','queued'),
  (363,7111,2,'gift_card',300,'B-0314R','paid_out'),(364,7106,1,'bank_card',2500,'B-0316','queued');
INSERT INTO reversals VALUES (17,4200);
