// The subject of arm64model in C: does one operation of libsecp256k1 as often as it is
// told, as ../subject does ours.
//
//	subject OP N INPUTS

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <secp256k1.h>
#include <secp256k1_ecdh.h>
#include <secp256k1_extrakeys.h>
#include <secp256k1_schnorrsig.h>

enum { records = 16 };

struct input {
	unsigned char secret[32], pub[32], peer[32], msg[32], sig[64];
};

static void must(int ok) {
	if (ok) return;
	fputs("subject failed\n", stderr);
	exit(1);
}

// unhashed returns the x-coordinate as it is, which NIP-44 asks for.
static int unhashed(unsigned char *out, const unsigned char *x, const unsigned char *y, void *data) {
	(void)y;
	(void)data;
	memcpy(out, x, 32);
	return 1;
}

static void print(const unsigned char *b, int n) {
	for (int i = 0; i < n; i++) printf("%02x", b[i]);
	putchar('\n');
}

int main(int argc, char **argv) {
	static struct input in[records];
	static secp256k1_keypair pairs[records];
	unsigned char answer[64] = {1}, aux[32] = {0};

	must(argc == 4);
	const char *op = argv[1];
	int n = atoi(argv[2]);
	FILE *f = fopen(argv[3], "rb");
	must(n <= records && f != NULL && fread(in, sizeof in, 1, f) == 1);
	secp256k1_context *c = secp256k1_context_create(SECP256K1_CONTEXT_NONE);
	must(secp256k1_context_randomize(c, in[0].msg));
	for (int i = 0; i < records; i++) must(secp256k1_keypair_create(c, &pairs[i], in[i].secret));

	if (strcmp(op, "ecdh") == 0) {
		for (int i = 0; i < n; i++) {
			unsigned char compressed[33] = {2};
			secp256k1_pubkey pub;
			memcpy(compressed + 1, in[i].peer, 32);
			must(secp256k1_ec_pubkey_parse(c, &pub, compressed, sizeof compressed) &&
				secp256k1_ecdh(c, answer, &pub, in[i].secret, unhashed, NULL));
		}
		print(answer, 32);
	} else if (strcmp(op, "sign") == 0) {
		unsigned char sig[64];
		for (int i = 0; i < n; i++) must(secp256k1_schnorrsig_sign32(c, sig, in[i].msg, &pairs[i], aux));
		print(answer, 1);
	} else if (strcmp(op, "verify") == 0) {
		for (int i = 0; i < n; i++) {
			secp256k1_xonly_pubkey pub;
			must(secp256k1_xonly_pubkey_parse(c, &pub, in[i].pub) &&
				secp256k1_schnorrsig_verify(c, in[i].sig, in[i].msg, 32, &pub));
		}
		print(answer, 1);
	} else {
		must(0);
	}
	return 0;
}
