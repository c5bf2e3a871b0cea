// wavesim: --arg a=wo:int:range:0:2:8 --arg p3=fill:1,2,3:4 --arg hh=iota:9 --arg tmp=local:64
// wavesim: --arg b=uninit:4 --build-options '-w -cl-std=CL2.0' --offset 1,2
