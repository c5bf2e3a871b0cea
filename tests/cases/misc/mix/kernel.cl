// A bit of everything: a small interpreter of postfix programs, one program per work-item.
//
// wavesim: --global 128 --local 64 --arg out=zero:128

uint hash(uint x)
{
	x ^= x >> 16;
	x *= 0x7feb352du;
	x ^= x >> 15;
	x *= 0x846ca68bu;
	return x ^ x >> 16;
}

typedef struct {
	int value[16];
	uint top;
	bool failed;
} Stack;

constant char programs[4][12] = {"12+3*", "45*67*+!", "9d*2-!", "1d+d+d+d+"};

void push(Stack *s, int v)
{
	if (s->top == 16)
		s->failed = true;
	else
		s->value[s->top++] = v;
}

int pop(Stack *s)
{
	if (s->top)
		return s->value[--s->top];
	s->failed = true;
	return 0;
}

kernel void interpret(global int *out)
{
	uint gid = get_global_id(0);
	Stack s = {.top = 0};
	push(&s, (int)(hash(gid) % 10));
	constant char *p = programs[gid & 3];
	for (; *p; p++) {
		int a, b;
		switch (*p) {
		case '0' ... '9':
			push(&s, *p - '0' + (int)(gid >> 4));
			break;
		case '+':
			b = pop(&s), a = pop(&s);
			push(&s, a + b);
			break;
		case '-':
			b = pop(&s), a = pop(&s);
			push(&s, a - b);
			break;
		case '*':
			b = pop(&s), a = pop(&s);
			push(&s, a * b);
			break;
		case 'd':
			a = pop(&s);
			push(&s, a);
			push(&s, a);
			break;
		case '!':
			while (s.top > 1 && !(hash((uint)s.value[s.top - 1]) & 1))
				pop(&s);
			break;
		}
	}
	out[gid] = s.failed ? -1 : pop(&s) * 16 + (int)s.top;
}
