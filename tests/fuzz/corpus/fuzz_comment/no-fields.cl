// wavesim(k): --arg a.=1
kernel void k() {}
