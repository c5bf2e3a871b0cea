typedef half real;
