// wavesim: --global 64,64 --local=16x16 --seed 7 -DN=4 -I inc --wave 32
/* wavesim: --arg n=4096 --arg 'v=1.5,inf,-2e-3,4f' --arg s=0x01020304
 * wavesim(k): --arg a=random(-1,1):64 --arg b=[1,2,3,4]
 */
// wavesim: --arg im=fill:3:8x8:r:uint8 --arg smp=linear,repeat,normalized --kernel k
kernel void k() { char *s = "// wavesim: --no"; }
