insert into stock.items (id, sku) values (1, 'A-1');
