# SPDX-License-Identifier: Apache-2.0
# hashcat finds the passwords of hashes of two kinds by trying all of a mask.
title="hashcat"
packages="hashcat"

# Mode, hash of "rain".
hashes() {
  local kind
  for kind in "0 md5" "1400 sha256"; do
    echo "${kind% *} $(printf rain | "${kind#* }sum" | cut -d ' ' -f 1)"
  done
}

work() {
  local mode hash
  rm -f found found.*
  while read -r mode hash; do
    echo "$hash" >"hash.$mode"
    hashcat --quiet --force --potfile-disable --restore-disable --session "s$mode" -D 1,2 -m "$mode" -a 3 \
      --outfile-format 2 -o "found.$mode" "hash.$mode" '?l?l?l?l' >hashcat.log 2>&1 </dev/null
    cat "found.$mode" >>found
  done < <(hashes)
}

check() {
  [ "$(sort -u found)" = rain ] && [ "$(wc -l <found)" -eq 2 ] || wrong "found: $(tr '\n' ' ' <found)"
  echo "passwords of MD5 and SHA-256 hashes found"
}
