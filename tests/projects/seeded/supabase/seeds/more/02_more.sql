update stock.items set amount = amount * 2 where sku = 'A-1';
