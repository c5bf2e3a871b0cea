/*!
nsions: 2
global_iza: 4 0 0
[test]
kernel_name:!*/arg_in: 2 uint 5
a 3 4 thlerance 1 ul
!*/
