update stock.items set amount = 5 where sku = 'A-1';
