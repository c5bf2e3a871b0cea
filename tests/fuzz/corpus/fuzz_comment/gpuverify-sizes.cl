//pass
//--local_size=[8,È #a=wo:ulongange:0:ar+g p2=
//--local_size=[8,g nge:0:2ù:8 ar+g p2=
//--local_size=[8ªªªªªªªªªªªªªªªªªªªªªªªªªª!*/ªªªªªªªªªªªªªªªªªª‚ª,g #g p2=fill] --num_groups=[4,2--·rg p2arg8] --num_groups=[4=[8,g nge:0:2ù:8 ar+g p2=
//--local_size=[8ªªªªªªªªªªªªªªªªªªªªªªªªªª!*/ªªªªªªªªªªªªªªªªª,2--·rg p2=fillarg8] --num_groups=[4,2]
