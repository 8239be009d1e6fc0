-- The part of pgcrypto that plain Postgres can answer, for the embedded build has no OpenSSL: digest, hmac,
-- gen_random_bytes, gen_random_uuid, crypt with gen_salt for bcrypt, which seeds make users with, and MD5.
create function gen_random_bytes(count integer) returns bytea language plpgsql volatile strict parallel safe as $$
declare
  result bytea := '';
begin
  if count < 1 or count > 1024 then
    raise exception 'Length not in range' using errcode = 'external_routine_invocation_exception';
  end if;
  -- A version 4 uuid carries 122 random bits from pg_strong_random: two of them, hashed, give 32 full bytes.
  while length(result) < count loop
    result := result || sha256(uuid_send(pg_catalog.gen_random_uuid()) || uuid_send(pg_catalog.gen_random_uuid()));
  end loop;
  return substring(result from 1 for count);
end $$;

create function gen_random_uuid() returns uuid language sql volatile parallel safe
  as 'select pg_catalog.gen_random_uuid()';

-- FIPS 180-4.
create function pgcrypto_sha1(data bytea) returns bytea language plpgsql immutable strict parallel safe as $$
declare
  state bigint[] := array[1732584193, 4023233417, 2562383102, 271733878, 3285377520];
  padded bytea := data || '\x80' || decode(repeat('00', (119 - length(data) % 64) % 64), 'hex')
    || int8send(length(data) * 8::bigint);
  w bigint[] := array_fill(0::bigint, array[80]);
  a bigint; b bigint; c bigint; d bigint; e bigint; f bigint; k bigint;
begin
  for block in 0 .. length(padded) / 64 - 1 loop
    for i in 0 .. 79 loop
      if i < 16 then
        w[i + 1] := ('x' || encode(substring(padded from block * 64 + i * 4 + 1 for 4), 'hex'))::bit(32)::bigint;
      else
        f := w[i - 2] # w[i - 7] # w[i - 13] # w[i - 15];
        w[i + 1] := ((f << 1) | (f >> 31)) & 4294967295;
      end if;
    end loop;
    a := state[1]; b := state[2]; c := state[3]; d := state[4]; e := state[5];
    for i in 0 .. 79 loop
      case i / 20
        when 0 then f := (b & c) | (~b & d); k := 1518500249;
        when 1 then f := b # c # d; k := 1859775393;
        when 2 then f := (b & c) | (b & d) | (c & d); k := 2400959708;
        else f := b # c # d; k := 3395469782;
      end case;
      f := ((((a << 5) & 4294967295) | (a >> 27)) + (f & 4294967295) + e + k + w[i + 1]) & 4294967295;
      e := d;
      d := c;
      c := ((b << 30) | (b >> 2)) & 4294967295;
      b := a;
      a := f;
    end loop;
    state := array[state[1] + a, state[2] + b, state[3] + c, state[4] + d, state[5] + e];
    for i in 1 .. 5 loop state[i] := state[i] & 4294967295; end loop;
  end loop;
  return decode((select string_agg(lpad(to_hex(word), 8, '0'), '' order by place)
    from unnest(state) with ordinality as words (word, place)), 'hex');
end $$;

create function digest(data bytea, type text) returns bytea language plpgsql immutable strict parallel safe as $$
begin
  case lower(type)
    when 'md5' then return decode(md5(data), 'hex');
    when 'sha1' then return @extschema@.pgcrypto_sha1(data);
    when 'sha224' then return sha224(data);
    when 'sha256' then return sha256(data);
    when 'sha384' then return sha384(data);
    when 'sha512' then return sha512(data);
    else raise exception 'Cannot use "%": the embedded Postgres knows md5, sha1, sha224, sha256, sha384, sha512', type
      using errcode = 'feature_not_supported', hint = 'Set PG_BIN to a Postgres that has the real pgcrypto.';
  end case;
end $$;

create function digest(data text, type text) returns bytea language plpgsql immutable strict parallel safe
  as $$ begin return @extschema@.digest(convert_to(data, 'UTF8'), type); end $$;

-- RFC 2104.
create function hmac(data bytea, key bytea, type text) returns bytea language plpgsql immutable strict parallel safe as $$
declare
  size integer := case when lower(type) in ('sha384', 'sha512') then 128 else 64 end;
  padded bytea := case when length(key) > size then @extschema@.digest(key, type) else key end;
  inner_pad bytea;
  outer_pad bytea;
begin
  padded := padded || decode(repeat('00', size - length(padded)), 'hex');
  inner_pad := padded;
  outer_pad := padded;
  for i in 0 .. size - 1 loop
    inner_pad := set_byte(inner_pad, i, get_byte(padded, i) # 54);
    outer_pad := set_byte(outer_pad, i, get_byte(padded, i) # 92);
  end loop;
  return @extschema@.digest(outer_pad || @extschema@.digest(inner_pad || data, type), type);
end $$;

create function hmac(data text, key text, type text) returns bytea language plpgsql immutable strict parallel safe
  as $$ begin return @extschema@.hmac(convert_to(data, 'UTF8'), convert_to(key, 'UTF8'), type); end $$;

-- bcrypt (Provos and Mazières, 1999): Blowfish with a key schedule that is run 2^cost times. Words are held in bigints; the
-- table holds Blowfish's 18 subkeys and four boxes of 256, which begin as the digits of pi's fraction. A hash takes
-- a third of a second at gen_salt's default cost of 6; the real extension needs some milliseconds.
create function pgcrypto_blowfish_start() returns bigint[] language sql immutable parallel safe as $$
  select array_agg(('x' || substr(digits, 1 + 8 * i, 8))::bit(32)::bigint order by i)
  from (values (
    '243f6a8885a308d313198a2e03707344a4093822299f31d0082efa98ec4e6c89452821e638d01377be5466cf34e90c6cc0ac29b7' ||
    'c97c50dd3f84d5b5b54709179216d5d98979fb1bd1310ba698dfb5ac2ffd72dbd01adfb7b8e1afed6a267e96ba7c9045f12c7f99' ||
    '24a19947b3916cf70801f2e2858efc16636920d871574e69a458fea3f4933d7e0d95748f728eb658718bcd5882154aee7b54a41d' ||
    'c25a59b59c30d5392af26013c5d1b023286085f0ca417918b8db38ef8e79dcb0603a180e6c9e0e8bb01e8a3ed71577c1bd314b27' ||
    '78af2fda55605c60e65525f3aa55ab945748986263e8144055ca396a2aab10b6b4cc5c341141e8cea15486af7c72e993b3ee1411' ||
    '636fbc2a2ba9c55d741831f6ce5c3e169b87931eafd6ba336c24cf5c7a325381289586773b8f48986b4bb9afc4bfe81b66282193' ||
    '61d809ccfb21a991487cac605dec8032ef845d5de98575b1dc262302eb651b8823893e81d396acc50f6d6ff383f442392e0b4482' ||
    'a484200469c8f04a9e1f9b5e21c66842f6e96c9a670c9c61abd388f06a51a0d2d8542f68960fa728ab5133a36eef0b6c137a3be4' ||
    'ba3bf0507efb2a98a1f1651d39af017666ca593e82430e888cee8619456f9fb47d84a5c33b8b5ebee06f75d885c12073401a449f' ||
    '56c16aa64ed3aa62363f77061bfedf72429b023d37d0d724d00a1248db0fead349f1c09b075372c980991b7b25d479d8f6e8def7' ||
    'e3fe501ab6794c3b976ce0bd04c006bac1a94fb6409f60c45e5c9ec2196a246368fb6faf3e6c53b51339b2eb3b52ec6f6dfc511f' ||
    '9b30952ccc814544af5ebd09bee3d004de334afd660f2807192e4bb3c0cba85745c8740fd20b5f39b9d3fbdb5579c0bd1a60320a' ||
    'd6a100c6402c7279679f25fefb1fa3cc8ea5e9f8db3222f83c7516dffd616b152f501ec8ad0552ab323db5fafd23876053317b48' ||
    '3e00df829e5c57bbca6f8ca01a87562edf1769dbd542a8f6287effc3ac6732c68c4f5573695b27b0bbca58c8e1ffa35db8f011a0' ||
    '10fa3d98fd2183b84afcb56c2dd1d35b9a53e479b6f84565d28e49bc4bfb9790e1ddf2daa4cb7e3362fb1341cee4c6e8ef20cada' ||
    '36774c01d07e9efe2bf11fb495dbda4dae909198eaad8e716b93d5a0d08ed1d0afc725e08e3c5b2f8e7594b78ff6e2fbf2122b64' ||
    '8888b812900df01c4fad5ea0688fc31cd1cff191b3a8c1ad2f2f2218be0e1777ea752dfe8b021fa1e5a0cc0fb56f74e818acf3d6' ||
    'ce89e299b4a84fe0fd13e0b77cc43b81d2ada8d9165fa2668095770593cc7314211a1477e6ad206577b5fa86c75442f5fb9d35cf' ||
    'ebcdaf0c7b3e89a0d6411bd3ae1e7e4900250e2d2071b35e226800bb57b8e0af2464369bf009b91e5563911d59dfa6aa78c14389' ||
    'd95a537f207d5ba202e5b9c5832603766295cfa911c819684e734a41b3472dca7b14a94a1b5100529a532915d60f573fbc9bc6e4' ||
    '2b60a47681e6740008ba6fb5571be91ff296ec6b2a0dd915b6636521e7b9f9b6ff34052ec585566453b02d5da99f8fa108ba4799' ||
    '6e85076a4b7a70e9b5b32944db75092ec4192623ad6ea6b049a7df7d9cee60b88fedb266ecaa8c71699a17ff5664526cc2b19ee1' ||
    '193602a575094c29a0591340e4183a3e3f54989a5b429d656b8fe4d699f73fd6a1d29c07efe830f54d2d38e6f0255dc14cdd2086' ||
    '8470eb266382e9c6021ecc5e09686b3f3ebaefc93c9718146b6a70a1687f358452a0e286b79c5305aa5007373e07841c7fdeae5c' ||
    '8e7d44ec5716f2b8b03ada37f0500c0df01c1f040200b3ffae0cf51a3cb574b225837a58dc0921bdd19113f97ca92ff694324773' ||
    '22f547013ae5e58137c2dadcc8b576349af3dda7a94461460fd0030eecc8c73ea4751e41e238cd993bea0e2f3280bba1183eb331' ||
    '4e548b384f6db9086f420d03f60a04bf2cb8129024977c795679b072bcaf89afde9a771fd9930810b38bae12dccf3f2e5512721f' ||
    '2e6b7124501adde69f84cd877a5847187408da17bc9f9abce94b7d8cec7aec3adb851dfa63094366c464c3d2ef1c18473215d908' ||
    'dd433b3724c2ba1612a14d432a65c45150940002133ae4dd71dff89e10314e5581ac77d65f11199b043556f1d7a3c76b3c11183b' ||
    '5924a509f28fe6ed97f1fbfa9ebabf2c1e153c6e86e34570eae96fb1860e5e0a5a3e2ab3771fe71c4e3d06fa2965dcb999e71d0f' ||
    '803e89d65266c8252e4cc9789c10b36ac6150eba94e2ea78a5fc3c531e0a2df4f2f74ea7361d2b3d1939260f19c279605223a708' ||
    'f71312b6ebadfe6eeac31f66e3bc4595a67bc883b17f37d1018cff28c332ddefbe6c5aa56558218568ab9802eecea50fdb2f953b' ||
    '2aef7dad5b6e2f841521b62829076170ecdd4775619f151013cca830eb61bd960334fe1eaa0363cfb5735c904c70a239d59e9e0b' ||
    'cbaade14eecc86bc60622ca79cab5cabb2f3846e648b1eaf19bdf0caa02369b9655abb5040685a323c2ab4b3319ee9d5c021b8f7' ||
    '9b540b19875fa09995f7997e623d7da8f837889a97e32d7711ed935f166812810e358829c7e61fd696dedfa17858ba9957f584a5' ||
    '1b2272639b83c3ff1ac24696cdb30aeb532e30548fd948e46dbc312858ebf2ef34c6ffeafe28ed61ee7c3c735d4a14d9e864b7e3' ||
    '42105d14203e13e045eee2b6a3aaabeadb6c4f15facb4fd0c742f442ef6abbb5654f3b1d41cd2105d81e799e86854dc7e44b476a' ||
    '3d816250cf62a1f25b8d2646fc8883a0c1c7b6a37f1524c369cb749247848a0b5692b285095bbf00ad19489d1462b17423820e00' ||
    '58428d2a0c55f5ea1dadf43e233f70613372f0928d937e41d65fecf16c223bdb7cde3759cbee74604085f2a7ce77326ea6078084' ||
    '19f8509ee8efd85561d99735a969a7aac50c06c25a04abfc800bcadc9e447a2ec3453484fdd567050e1e9ec9db73dbd3105588cd' ||
    '675fda79e3674340c5c43465713e38d83d28f89ef16dff20153e21e78fb03d4ae6e39f2bdb83adf7e93d5a68948140f7f64c261c' ||
    '94692934411520f77602d4f7bcf46b2ed4a20068d40824713320f46a43b7d4b7500061af1e39f62e9724454614214f74bf8b8840' ||
    '4d95fc1d96b591af70f4ddd366a02f45bfbc09ec03bd97857fac6dd031cb850496eb27b355fd3941da2547e6abca0a9a28507825' ||
    '530429f40a2c86dae9b66dfb68dc1462d7486900680ec0a427a18dee4f3ffea2e887ad8cb58ce0067af4d6b6aace1e7cd3375fec' ||
    'ce78a399406b2a4220fe9e35d9f385b9ee39d7ab3b124e8b1dc9faf74b6d185626a36631eae397b23a6efa74dd5b43326841e7f7' ||
    'ca7820fbfb0af54ed8feb397454056acba48952755533a3a20838d87fe6ba9b7d096954b55a867bca1159a58cca9296399e1db33' ||
    'a62a4a563f3125f95ef47e1c9029317cfdf8e80204272f7080bb155c05282ce395c11548e4c66d2248c1133fc70f86dc07f9c9ee' ||
    '41041f0f404779a45d886e17325f51ebd59bc0d1f2bcc18f41113564257b7834602a9c60dff8e8a31f636c1b0e12b4c202e1329e' ||
    'af664fd1cad181156b2395e0333e92e13b240b62eebeb92285b2a20ee6ba0d99de720c8c2da2f728d012784595b794fd647d0862' ||
    'e7ccf5f05449a36f877d48fac39dfd27f33e8d1e0a476341992eff743a6f6eabf4f8fd37a812dc60a1ebddf8991be14cdb6e6b0d' ||
    'c67b55106d672c372765d43bdcd0e804f1290dc7cc00ffa3b5390f92690fed0b667b9ffbcedb7d9ca091cf0bd9155ea3bb132f88' ||
    '515bad247b9479bf763bd6eb37392eb3cc1159798026e297f42e312d6842ada7c66a2b3b12754ccc782ef11c6a124237b79251e7' ||
    '06a1bbe64bfb63501a6b101811caedfa3d25bdd8e2e1c3c9444216590a121386d90cec6ed5abea2a64af674eda86a85fbebfe988' ||
    '64e4c3fe9dbc8057f0f7c08660787bf86003604dd1fd8346f6381fb07745ae04d736fccc83426b33f01eab71b08041873c005e5f' ||
    '77a057bebde8ae2455464299bf582e614e58f48ff2ddfda2f474ef388789bdc25366f9c3c8b38e74b475f25546fcd9b97aeb2661' ||
    '8b1ddf84846a0e79915f95e2466e598e20b457708cd55591c902de4cb90bace1bb8205d011a862487574a99eb77f19b6e0a9dc09' ||
    '662d09a1c4324633e85a1f0209f0be8c4a99a0251d6efe101ab93d1d0ba5a4dfa186f20f2868f169dcb7da83573906fea1e2ce9b' ||
    '4fcd7f5250115e01a70683faa002b5c40de6d0279af88c27773f8641c3604c0661a806b5f0177a28c0f586e0006058aa30dc7d62' ||
    '11e69ed72338ea6353c2dd94c2c21634bbcbee5690bcb6deebfc7da1ce591d766f05e4094b7c018839720a3d7c927c2486e3725f' ||
    '724d9db91ac15bb4d39eb8fced54557808fca5b5d83d7cd34dad0fc41e50ef5eb161e6f8a28514d96c51133c6fd5c7e756e14ec4' ||
    '362abfceddc6c837d79a323492638212670efa8e406000e03a39ce37d3faf5cfabc277375ac52d1b5cb0679e4fa33742d3822740' ||
    '99bc9bbed5118e9dbf0f7315d62d1c7ec700c47bb78c1b6b21a19045b26eb1be6a366eb45748ab2fbc946e79c6a376d26549c2c8' ||
    '530ff8ee468dde7dd5730a1d4cd04dc62939bbdba9ba4650ac9526e8be5ee304a1fad5f06a2d519a63ef8ce29a86ee22c089c2b8' ||
    '43242ef6a51e03aa9cf2d0a483c061ba9be96a4d8fe51550ba645bd62826a2f9a73a3ae14ba99586ef5562e9c72fefd3f752f7da' ||
    '3f046f6977fa0a5980e4a91587b086019b09e6ad3b3ee593e990fd5a9e34d7972cf0b7d9022b8b5196d5ac3a017da67dd1cf3ed6' ||
    '7c7d2d281f9f25cfadf2b89b5ad6b4725a88f54ce029ac71e019a5e647b0acfded93fa9be8d3c48d283b57ccf8d5662979132e28' ||
    '785f0191ed756055f7960e44e3d35e8c15056dd488f46dba03a161250564f0bdc3eb9e153c9057a297271aeca93a072a1b3f6d9b' ||
    '1e6321f5f59c66fb26dcf3197533d928b155fdf5035634828aba3cbb28517711c20ad9f8abcc5167ccad925f4de817513830dc8e' ||
    '379d58629320f991ea7a90c2fb3e7bce5121ce64774fbe32a8b6e37ec3293d4648de53696413e680a2ae0810dd6db22469852dfd' ||
    '09072166b39a460a6445c0dd586cdecf1c20c8ae5bbef7dd1b588d40ccd2017f6bb4e3bbdda26a7e3a59ff453e350a44bcb4cdd5' ||
    '72eacea8fa6484bb8d6612aebf3c6f47d29be463542f5d9eaec2771bf64e6370740e0d8de75b1357f8721671af537d5d4040cb08' ||
    '4eb4e2cc34d2466a0115af84e1b0042895983a1d06b89fb4ce6ea0486f3f3b823520ab82011a1d4b277227f8611560b1e7933fdc' ||
    'bb3a792b344525bda08839e151ce794b2f32c9b7a01fbac9e01cc87ebcc7d1f6cf0111c3a1e8aac71a908749d44fbd9ad0dadecb' ||
    'd50ada380339c32ac69136678df9317ce0b12b4ff79e59b743f5bb3af2d519ff27d9459cbf97222c15e6fc2a0f91fc719b941525' ||
    'fae59361ceb69cebc2a8645912baa8d1b6c1075ee3056a0c10d25065cb03a442e0ec6e0e1698db3b4c98a0be3278e9649f1f9532' ||
    'e0d392dfd3a0342b8971f21e1b0a74414ba3348cc5be7120c37632d8df359f8d9b992f2ee60b6f470fe3f11de54cda541edad891' ||
    'ce6279cfcd3e7e6f1618b166fd2c1d05848fd2c5f6fb2299f523f357a632762393a8353156cccd02acf081625a75ebb56e163697' ||
    '88d273ccde96629281b949d04c50901b71c65614e6c6c7bd327a140a45e1d006c3f27b9ac9aa53fd62a80f00bb25bfe235bdd2f6' ||
    '71126905b2040222b6cbcf7ccd769c2b53113ec01640e3d338abbd602547adf0ba38209cf746ce7677afa1c52075606085cbfe4e' ||
    '8ae88dd87aaaf9b04cf9aa7e1948c25c02fb8a8c01c36ae4d6ebe1f990d4f869a65cdea03f09252dc208e69fb74e6132ce77e25b' ||
    '578fdfe33ac372e6'
  )) pi (digits), generate_series(0, 1041) i
$$;

create function pgcrypto_bcrypt(password bytea, salt bytea, cost integer) returns bytea
language plpgsql immutable strict parallel safe as $$
declare
  t bigint[] := @extschema@.pgcrypto_blowfish_start();
  key bytea := substring(password || '\x00' from 1 for 72);
  size integer := length(key);
  -- The words that go into the subkeys: the key's, and the salt's.
  from_key bigint[] := array_fill(0::bigint, array[18]);
  from_salt bigint[] := array_fill(0::bigint, array[18]);
  words bigint[] := array_fill(0::bigint, array[4]);
  result bytea := '';
  l bigint;
  r bigint;
begin
  for i in 0 .. 71 loop
    from_key[i / 4 + 1] := (from_key[i / 4 + 1] << 8) | get_byte(key, i % size);
    from_salt[i / 4 + 1] := (from_salt[i / 4 + 1] << 8) | get_byte(salt, i % 16);
  end loop;
  for turn in 0 .. (1 << (cost + 1)) loop
    -- The first turn mixes the key with the salt; then come the key and the salt by themselves, in turn.
    if turn % 2 = 1 or turn = 0 then
      for i in 1 .. 18 loop t[i] := t[i] # from_key[i]; end loop;
    else
      for i in 1 .. 18 loop t[i] := t[i] # from_salt[i]; end loop;
    end if;
    l := 0;
    r := 0;
    for i in 0 .. 520 loop
      if turn = 0 then
        l := l # from_salt[i % 2 * 2 + 1];
        r := r # from_salt[i % 2 * 2 + 2];
      end if;
      l := l # t[1];
      for k in 1 .. 8 loop
        r := r # t[2 * k] # ((((t[19 + (l >> 24)] + t[275 + ((l >> 16) & 255)]) & 4294967295)
          # t[531 + ((l >> 8) & 255)]) + t[787 + (l & 255)]) & 4294967295;
        l := l # t[2 * k + 1] # ((((t[19 + (r >> 24)] + t[275 + ((r >> 16) & 255)]) & 4294967295)
          # t[531 + ((r >> 8) & 255)]) + t[787 + (r & 255)]) & 4294967295;
      end loop;
      r := r # t[18];
      t[2 * i + 1] := r;
      t[2 * i + 2] := l;
      l := r;
      r := t[2 * i + 2];
    end loop;
  end loop;
  for block in 0 .. 2 loop
    -- OrpheanBeholderScryDoubt, a third of it.
    l := ('x' || encode(substring('OrpheanBeholderScryDoubt'::bytea from 8 * block + 1 for 4), 'hex'))::bit(32)::bigint;
    r := ('x' || encode(substring('OrpheanBeholderScryDoubt'::bytea from 8 * block + 5 for 4), 'hex'))::bit(32)::bigint;
    for turn in 1 .. 64 loop
      l := l # t[1];
      for k in 1 .. 8 loop
        r := r # t[2 * k] # ((((t[19 + (l >> 24)] + t[275 + ((l >> 16) & 255)]) & 4294967295)
          # t[531 + ((l >> 8) & 255)]) + t[787 + (l & 255)]) & 4294967295;
        l := l # t[2 * k + 1] # ((((t[19 + (r >> 24)] + t[275 + ((r >> 16) & 255)]) & 4294967295)
          # t[531 + ((r >> 8) & 255)]) + t[787 + (r & 255)]) & 4294967295;
      end loop;
      words[1] := r # t[18];
      r := l;
      l := words[1];
    end loop;
    result := result || decode(lpad(to_hex(l), 8, '0') || lpad(to_hex(r), 8, '0'), 'hex');
  end loop;
  return substring(result from 1 for 23);
end $$;

-- bcrypt writes base64 with an alphabet of its own.
create function pgcrypto_to_base64(data bytea) returns text language sql immutable strict parallel safe as $$
  select translate(rtrim(encode(data, 'base64'), '='),
    'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
    './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789')
$$;

create function pgcrypto_salt_bytes(text) returns bytea language sql immutable strict parallel safe as $$
  select decode(translate($1,
    './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
    'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/') || '==', 'base64')
$$;

create function gen_salt(type text, iter_count integer) returns text language plpgsql volatile strict parallel safe as $$
begin
  if lower(type) = 'md5' then
    return '$1$' || substr(@extschema@.pgcrypto_to_base64(@extschema@.gen_random_bytes(6)), 1, 8);
  end if;
  if lower(type) <> 'bf' then
    raise exception 'gen_salt: the embedded Postgres knows "bf" and "md5", not "%"', type
      using errcode = 'feature_not_supported', hint = 'Use gen_salt(''bf''), or set PG_BIN to a Postgres that has the real pgcrypto.';
  end if;
  if iter_count not between 4 and 31 then
    raise exception 'gen_salt: Incorrect number of rounds' using errcode = 'invalid_parameter_value';
  end if;
  return '$2a$' || lpad(iter_count::text, 2, '0') || '$' || @extschema@.pgcrypto_to_base64(@extschema@.gen_random_bytes(16));
end $$;

create function gen_salt(type text) returns text language plpgsql volatile strict parallel safe
  as $$ begin return @extschema@.gen_salt(type, 6); end $$;

-- Kamp's MD5 of 1994: a thousand turns.
create function pgcrypto_md5_crypt(password bytea, salt bytea) returns text language plpgsql immutable strict parallel safe as $$
declare
  letters text := './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  size integer := length(password);
  state bytea := decode(md5(password || salt || password), 'hex');
  start bytea := password || '$1$' || salt;
  rest integer := size;
  word integer;
  result text := '$1$' || convert_from(salt, 'UTF8') || '$';
begin
  for i in 0 .. (size + 15) / 16 - 1 loop start := start || substring(state from 1 for least(16, size - 16 * i)); end loop;
  while rest > 0 loop
    start := start || (case rest & 1 when 1 then '\x00' else substring(password from 1 for 1) end);
    rest := rest >> 1;
  end loop;
  state := decode(md5(start), 'hex');
  for i in 0 .. 999 loop
    state := decode(md5((case i % 2 when 1 then password else state end) || (case when i % 3 > 0 then salt else '' end)
      || (case when i % 7 > 0 then password else '' end) || (case i % 2 when 1 then state else password end)), 'hex');
  end loop;
  for i in 0 .. 5 loop
    word := case i
      when 5 then get_byte(state, 11)
      else (get_byte(state, i) << 16) | (get_byte(state, i + 6) << 8) | get_byte(state, (array[12, 13, 14, 15, 5])[i + 1])
    end;
    for k in 1 .. case i when 5 then 2 else 4 end loop
      result := result || substr(letters, (word & 63) + 1, 1);
      word := word >> 6;
    end loop;
  end loop;
  return result;
end $$;

create function crypt(password text, salt text) returns text language plpgsql immutable strict parallel safe as $$
declare
  part text[] := regexp_match(salt, '^(\$2[aby]\$)(\d\d)\$([./A-Za-z0-9]{22})');
  bytes bytea;
begin
  if salt like '$1$%' then
    return @extschema@.pgcrypto_md5_crypt(convert_to(password, 'UTF8'), convert_to(substring(salt from '^...([^$]{0,8})'), 'UTF8'));
  end if;
  if part is null or part[2]::integer not between 4 and 31 then
    raise exception 'invalid salt' using errcode = 'external_routine_invocation_exception',
      hint = 'The embedded Postgres knows bcrypt ($2a$…) and MD5 ($1$…). Set PG_BIN to a Postgres that has the real pgcrypto.';
  end if;
  bytes := @extschema@.pgcrypto_salt_bytes(part[3]);
  return part[1] || part[2] || '$' || @extschema@.pgcrypto_to_base64(bytes)
    || @extschema@.pgcrypto_to_base64(@extschema@.pgcrypto_bcrypt(convert_to(password, 'UTF8'), bytes, part[2]::integer));
end $$;
