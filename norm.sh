for f in m1 m2; do sed -E -i 's/TypeError: [A-Za-z_]+\.([a-z_]+\(\) takes)/TypeError: \1/' $f; done
