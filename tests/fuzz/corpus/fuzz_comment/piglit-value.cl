/*!
[co uint 4
arg_out: 0 buffer float[4] 1 2 \
 3 4
 t rlance 1 ulp
!*/
