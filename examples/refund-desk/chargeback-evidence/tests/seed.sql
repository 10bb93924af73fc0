CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL, placed_on TEXT NOT NULL, postcode TEXT NOT NULL);
CREATE TABLE payments (id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL, paid_on TEXT NOT NULL, cents INTEGER NOT NULL);
CREATE TABLE refunds (id INTEGER PRIMARY KEY, payment_id INTEGER NOT NULL, cents INTEGER NOT NULL, state TEXT NOT NULL);
CREATE TABLE scans (id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL, scanned_on TEXT NOT NULL, kind TEXT NOT NULL,
  postcode TEXT NOT NULL);
CREATE TABLE messages (id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL, written_on TEXT NOT NULL, author TEXT NOT NULL,
  body TEXT NOT NULL);
CREATE TABLE disputes (id INTEGER PRIMARY KEY, payment_id INTEGER NOT NULL, opened_on TEXT NOT NULL, claim TEXT NOT NULL,
  cents INTEGER NOT NULL, state TEXT NOT NULL);

INSERT INTO customers VALUES (11,'Marta Lindqvist'),(12,'Owen Price'),(13,'Salma Haddad'),(14,'Viktor Hanák'),
  (15,'Grace Okafor'),(16,'Leo Fontaine');
INSERT INTO orders VALUES (810,11,'2025-01-06','LS6 3HN'),(811,12,'2025-01-09','M14 5TQ'),(812,13,'2025-01-11','BS3 1QG'),
  (813,14,'2025-01-13','EH9 1PR'),(814,15,'2025-01-15','CF24 3AB'),(815,13,'2025-01-20','BS3 1QG'),
  (816,16,'2025-01-22','NE2 4DA'),(817,11,'2025-02-02','LS6 3HN'),(818,16,'2025-02-03','NE2 4DA');
INSERT INTO payments VALUES (401,810,'2025-01-06',12900),(402,811,'2025-01-09',7450),(403,812,'2025-01-11',5600),
  (404,813,'2025-01-13',18990),(405,814,'2025-01-15',9900),(406,815,'2025-01-20',5600),(407,816,'2025-01-22',6200),
  (408,816,'2025-01-22',6200),(409,817,'2025-02-02',4450),(410,818,'2025-02-03',3050);
INSERT INTO refunds VALUES (71,401,1500,'paid'),(72,401,900,'cancelled'),(73,404,2000,'paid'),(74,404,990,'paid'),
  (75,409,4450,'paid');
INSERT INTO scans VALUES
  (5001,810,'2025-01-08','accepted','LS11 5TD'),(5002,810,'2025-01-10','delivered','LS6 3HN'),
  (5003,811,'2025-01-12','delivered','M15 6AZ'),(5004,811,'2025-01-13','returned','M15 6AZ'),
  (5005,812,'2025-01-14','delivered','BS3 1QG'),(5006,813,'2025-01-16','delivered','EH9 1PR'),
  (5007,814,'2025-01-17','attempted','CF24 3AB'),(5008,814,'2025-01-18','delivered','CF24 3AB'),
  (5009,815,'2025-01-23','delivered','BS3 1QG'),(5010,816,'2025-01-25','delivered','NE2 4DA'),
  (5011,817,'2025-02-05','delivered','LS6 3HN'),(5012,810,'2025-01-11','delivered','LS6 3HN'),
  (5013,818,'2025-02-20','delivered','NE2 4DA');
INSERT INTO messages VALUES
  (901,810,'2025-01-07','customer','When will it come?'),(902,810,'2025-01-12','customer','It is here, one buckle is scratched.'),
  (903,810,'2025-01-12','desk','Sorry! We refund 15.00 for the buckle.'),(904,810,'2025-01-15','customer','Thank you.'),
  (905,811,'2025-01-15','customer','Where is my order?'),(906,813,'2025-01-31','customer','The tent is green, not grey.'),
  (907,813,'2025-02-01','desk','The picture in the shop was green too.'),
  (908,814,'2025-02-01','customer','The jacket is thinner than the text says.'),
  (909,812,'2025-01-20','customer','Lovely boots.'),(910,813,'2025-01-14','customer','Please leave it with the neighbour.'),
  (911,818,'2025-02-12','customer','Still nothing here.');
INSERT INTO disputes VALUES (61,401,'2025-02-10','not_received',12900,'open'),(62,402,'2025-02-11','not_received',7450,'open'),
  (63,403,'2025-02-12','duplicate',5600,'open'),(64,404,'2025-02-14','not_as_described',18990,'open'),
  (65,405,'2025-02-15','not_as_described',9900,'open'),(66,407,'2025-02-16','duplicate',6200,'open'),
  (67,409,'2025-02-17','not_received',4450,'won'),(68,406,'2025-02-18','duplicate',5600,'withdrawn'),
  (69,410,'2025-02-18','not_received',3050,'open');
