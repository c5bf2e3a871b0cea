// </script><script>document.title = "broken"</script> <!-- <img src=x onerror=alert(1)> &amp; ' "
// wavesim: --global 64 --local 64 --arg out=zero:64
kernel void weird(global int *out)
{
	uint i = get_global_id(0);
	if (i == 0)
		printf("</script><b>bold</b> <!-- %s\n", "\"quoted\" & \\ back");
	out[i + (i == 63)] = (int)i; // </style>
}
