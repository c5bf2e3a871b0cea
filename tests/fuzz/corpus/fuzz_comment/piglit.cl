/*!
[config]
name: x
dimensions: 1
global_size: 4 0 0
[test]
kernel_name: k
arg_in: 0 uint 5
arg_out: 5 buffer float[4] 1 2 \
 3 4 tolerance 1 ulp
!*/
