//pass
//--local_size=[8,8] --num_groups=[4,2]
